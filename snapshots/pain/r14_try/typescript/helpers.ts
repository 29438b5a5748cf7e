function canRun(attempt: () => unknown): boolean {
    try {
        attempt();
        return true;
    } catch {
        return false;
    }
}

function firstToRun<T>(...attempts: (() => T)[]): T {
    for (const attempt of attempts) {
        try {
            return attempt();
        } catch {} // The next attempt may succeed.
    }
    throw new Error("no attempt gave a value");
}

function requireMembers<T>(value: T, place: string, ...names: string[]): T {
    const members: any = value;
    for (const name of value == null ? [] : names) {
        if (members[name] == null) {
            throw new Error(`${place}.${name} is not set`);
        }
    }
    return value;
}

export { canRun, firstToRun, requireMembers };
