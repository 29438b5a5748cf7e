import * as pulumi from "@pulumi/pulumi";

function can(attempt: () => unknown): boolean {
    try {
        return attempt() !== undefined;
    } catch {
        return false;
    }
}

function firstOf<T>(...attempts: (() => T)[]): T {
    for (const attempt of attempts) {
        try {
            const value = attempt();
            if (value !== undefined) {
                return value;
            }
        } catch {
            // The next attempt may succeed.
        }
    }
    throw new Error("no attempt gave a value");
}

const config = new pulumi.Config();
const o = config.requireObject<{ a?: string }>("o");

export const x = firstOf(
    () => o.a,
    () => "d",
);

export const y = can(() => o.a);
