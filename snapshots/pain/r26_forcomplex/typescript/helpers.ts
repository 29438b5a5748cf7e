function fromUniqueEntries<T>(
    entries: [string | number, T][],
): Record<string, T> {
    const result = Object.fromEntries(entries);
    if (Object.keys(result).length < entries.length) {
        throw new Error("two elements have the same key");
    }
    return result;
}

function groupByKey<T>(pairs: [string, T][]): Record<string, T[]> {
    const groups = new Map<string, T[]>();
    pairs.forEach(([key]) => groups.set(key, []));
    pairs.forEach(([key, value]) => groups.get(key)!.push(value));
    return Object.fromEntries(groups);
}

function requireMembers<T>(value: T, place: string, ...paths: string[]): T {
    const members: any = value ?? {};
    const each = Object.keys(members);
    if (!Array.isArray(value)) each.sort();
    for (const [step, ...rest] of paths.map((path) => path.split("/"))) {
        for (const key of step === "*" ? each : [step.replace(/~1/g, "/")]) {
            const inner = Array.isArray(value) ? `[${key}]` : `.${key}`;
            if (rest.length > 0) {
                requireMembers(members[key], place + inner, rest.join("/"));
            } else if (value != null && members[key] == null) {
                throw new Error(`${place + inner} is not set`);
            }
        }
    }
    return value;
}

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

export { fromUniqueEntries, groupByKey, requireMembers, sortedEntries };
