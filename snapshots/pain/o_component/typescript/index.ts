import { Part } from "./part";

const part = new Part("part", { env: "prd" });
const other = new Part("other", { env: part.summary.label });

export const kind = part.summary.kind;
