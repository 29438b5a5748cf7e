function entryOf<T>(members: Record<string, T>, key: string): T {
    if (!Object.hasOwn(members, key)) {
        throw new Error(`there is no ${JSON.stringify(key)} in the map`);
    }
    return members[key];
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

function textOf(value: unknown): string {
    return typeof value === "number"
        ? value.toLocaleString("en-US", {
              useGrouping: false,
              maximumSignificantDigits: 17,
          })
        : String(value);
}

export { entryOf, requireMembers, textOf };
