const names = ["a", "b"];
const out = names.map((n) => `${n},`).join("");

export const o = out;
