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

const config = new pulumi.Config();
const o = config.requireObject<{ a?: string }>("o");

export const x = firstToRun(
    () => o.a,
    () => "d",
);

export const y = canRun(() => o.a);
