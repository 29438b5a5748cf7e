const names = ["a", "b"];
const upper = names.map((n) => `${n}-x`);
const m = Object.fromEntries(names.map((n, i) => [n, i]));

export const o = upper;
export const mm = m;
