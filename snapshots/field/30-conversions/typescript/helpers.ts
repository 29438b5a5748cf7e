function requireValue<T>(value: T, problem: string): NonNullable<T> {
    if (value == null) {
        throw new Error(problem);
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

function toBoolean(value: any): any {
    if (value == null || typeof value === "boolean") return value;
    if (value === "true" || value === "1") return true;
    if (value === "false" || value === "0") return false;
    throw new Error(`expected true or false, found ${value}`);
}

function wholeNumber(value: string | number): number {
    if (!/^[+-]?\d+$/.test(String(value))) {
        throw new Error(`expected a whole number, found ${value}`);
    }
    return Number(value);
}

export { requireValue, textOf, toBoolean, wholeNumber };
