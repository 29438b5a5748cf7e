function element<T>(values: T[], index: number): T {
    return values[((index % values.length) + values.length) % values.length];
}

function singleOrNone<T>(values: T[]): T | undefined {
    if (values.length > 1) {
        throw new Error("expected at most one element");
    }
    return values[0];
}

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

// JSON with the keys sorted by code point.
function toJson(value: any): string {
    if (Array.isArray(value)) {
        return `[${value.map(toJson).join(",")}]`;
    }
    if (value !== null && typeof value === "object") {
        const members = Object.keys(value)
            .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
            .map((key) => `${JSON.stringify(key)}:${toJson(value[key])}`);
        return `{${members.join(",")}}`;
    }
    return JSON.stringify(value ?? null);
}

export { element, singleOrNone, sortedEntries, toJson };
