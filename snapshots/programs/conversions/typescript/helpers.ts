function textOf(value: unknown): string {
    return typeof value === "number"
        ? value.toLocaleString("en-US", {
              useGrouping: false,
              maximumSignificantDigits: 17,
          })
        : String(value);
}

function toNumber(value: any): any {
    if (value == null) return undefined;
    const isText = typeof value === "string" && value !== "";
    const number = isText ? Number(value) : value;
    if (typeof number === "number" && !Number.isNaN(number)) return number;
    throw new Error(`expected a number, found ${JSON.stringify(value)}`);
}

function wholeNumber(value: string | number): number {
    if (!/^[+-]?\d+$/.test(String(value))) {
        throw new Error(`expected a whole number, found ${value}`);
    }
    return Number(value);
}

export { textOf, toNumber, wholeNumber };
