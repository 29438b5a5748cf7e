import * as pulumi from "@pulumi/pulumi";

function requireMembers<T>(value: T, place: string, ...paths: string[]): T {
    const members: any = value ?? {};
    const each = Object.keys(members);
    if (!Array.isArray(value)) each.sort();
    for (const [step, ...rest] of paths.map((path) => path.split("/"))) {
        for (const key of step === "*" ? each : [step.replace(/~1/g, "/")]) {
            const inner = Array.isArray(value) ? `[${key}]` : `.${key}`;
            if (rest.length > 0) {
                requireMembers(members[key], place + inner, rest.join("/"));
            } else if (value != null && members[key] == null) {
                throw new Error(`${place + inner} is not set`);
            }
        }
    }
    return value;
}

const config = new pulumi.Config();
const subnets = config.getObject<string[]>("subnets");

const user = requireMembers(
    config.requireObject<{ path: string; size?: number }>("user"),
    "main.pp:2:8: user",
    "path",
);

const users = requireMembers(
    config.requireObject<Record<string, { name: string }>>("users"),
    "main.pp:3:8: users",
    "*/name",
);

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
