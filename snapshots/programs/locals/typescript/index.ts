// Literals of all kinds, in locals and in an output.

const answer = 42;
const negative = -7;
const small = 0.001;
const huge = 9007199254740991;
const yes = true;
const nothing = undefined;
const empty: string = "";
const escaped = 'tab\t quote" backslash\\ dollar${ percent%{ line\n end';
const unicode = "grüße ☃ 😀";
const mixed = [1, "two", true, null];
const nested = { name: "x", "odd key": { deep: [1, [2, [3]]] }, "7": "seven" };
const sum = answer + 1;
const share = answer / 4;
const remainder = answer % 5;
const product = -(answer * 2) - negative;
const either = yes && !(answer > 3 || small <= 0.5);
const same = nothing == null && "a" !== empty;

export const values = [
    answer,
    negative,
    small,
    huge,
    yes,
    nothing,
    empty,
    escaped,
    unicode,
    mixed,
    nested,
];

export const results = [sum, share, remainder, product, either, same];
