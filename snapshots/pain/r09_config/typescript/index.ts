import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();
const subnets = config.getObject<string[]>("subnets");
const user = config.requireObject<{ path?: string; size?: number }>("user");
const users = config.requireObject<Record<string, { name?: string }>>("users");
const flag = config.getBoolean("flag") ?? true;
const n = config.getNumber("n") ?? 3;
const text = config.get("text") ?? "some";
const i = config.requireNumber("i");

export const p = user.path;
export const u = users;
export const s = subnets;
export const ii = i;
export const f = flag ? "on" : "off";
export const nn = n;
export const t = text;
