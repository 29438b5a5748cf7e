function fromUniqueEntries<T>(
    entries: [string | number, T][],
): Record<string, T> {
    const result = Object.fromEntries(entries);
    if (Object.keys(result).length < entries.length) {
        throw new Error("two elements have the same key");
    }
    return result;
}

const names = ["a", "b"];
const upper = names.map((n) => `${n}-x`);
const m = fromUniqueEntries(names.map((n, i) => [n, i]));

export const o = upper;
export const mm = m;
