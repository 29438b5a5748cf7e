const fmt = "x";
const string = "y";

export const o = `${fmt}-${string}`;
