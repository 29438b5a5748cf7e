import * as pulumi from "@pulumi/pulumi";

function canRun(attempt: () => unknown): boolean {
    try {
        attempt();
        return true;
    } catch {
        return false;
    }
}

function requireMembers<T>(value: T, place: string, ...names: string[]): T {
    const members: any = value;
    for (const name of value == null ? [] : names) {
        if (members[name] == null) {
            throw new Error(`${place}.${name} is not set`);
        }
    }
    return value;
}

const config = new pulumi.Config();

const o = requireMembers(
    config.requireObject<{ a: string }>("o"),
    "main.pp:1:8: o",
    "a",
);

export const x = o.a;
export const y = canRun(() => o.a);
