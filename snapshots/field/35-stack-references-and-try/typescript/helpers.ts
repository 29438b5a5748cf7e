function can(attempt: () => unknown): boolean {
    try {
        return attempt() !== undefined;
    } catch {
        return false;
    }
}

function firstOf<T>(...attempts: (() => T | undefined)[]): T {
    for (const attempt of attempts) {
        try {
            const value = attempt();
            if (value !== undefined) return value;
        } catch {} // The next attempt may succeed.
    }
    throw new Error("no attempt gave a value");
}

/** The JSON value in a text of the configuration, or the text itself. */
function jsonOrText<T>(text: any): T {
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}

export { can, firstOf, jsonOrText };
