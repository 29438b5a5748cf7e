import * as pulumi from "@pulumi/pulumi";

function canRun(attempt: () => unknown): boolean {
    try {
        attempt();
        return true;
    } catch {
        return false;
    }
}

function firstToRun<T>(...attempts: (() => T)[]): T {
    for (const attempt of attempts) {
        try {
            return attempt();
        } catch {
            // The next attempt may succeed.
        }
    }
    throw new Error("no attempt gave a value");
}

function requireMembers<T>(value: T, place: string, ...paths: string[]): T {
    const members: any = value ?? {};
    const all = Object.keys(members);
    const each = Array.isArray(value) ? all : all.sort();
    for (const [step, ...rest] of paths.map((path) => path.split("/"))) {
        const name = step.replace(/~1/g, "/");
        for (const key of step === "*" ? each : [name]) {
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

const o = requireMembers(
    config.requireObject<{ a: string }>("o"),
    "main.pp:1:8: o",
    "a",
);

export const x = firstToRun(
    () => o.a,
    () => "d",
);

export const y = canRun(() => o.a);
