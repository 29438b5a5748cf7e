import * as pulumi from "@pulumi/pulumi";

function requireMembers<T>(value: T, name: string, ...paths: string[]): T {
    function check(item: any, place: string, [step, ...rest]: string[]) {
        if (item == null) {
            return;
        }
        if (Array.isArray(item)) {
            item.forEach((element, index) => {
                check(element, `${place}[${index}]`, rest);
            });
        } else if (step === "*") {
            for (const key of Object.keys(item).sort()) {
                check(item[key], `${place}.${key}`, rest);
            }
        } else {
            const member = step.replace(/~1/g, "/");
            if (rest.length > 0) {
                check(item[member], `${place}.${member}`, rest);
            } else if (item[member] == null) {
                throw new Error(`${place}.${member} is not set`);
            }
        }
    }
    paths.forEach((path) => check(value, name, path.split("/")));
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
