// Attempts that may fail.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

function can(attempt: () => unknown): boolean {
    try {
        return attempt() !== undefined;
    } catch {
        return false;
    }
}

function firstOf<T>(...attempts: (() => T | undefined)[]): T {
    for (const attempt of attempts) {
        try {
            const value = attempt();
            if (value !== undefined) return value;
        } catch {} // The next attempt may succeed.
    }
    throw new Error("no attempt gave a value");
}

/** What a text of the configuration stands for: the value of JSON, or else itself. */
function jsonOrText<T>(text: any): T {
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}

const config = new pulumi.Config();

const settings = jsonOrText<any>(config.get("settings")) ?? {
    a: { b: "deep" },
};

const thing = new probe.Thing("thing", {});

export const plain = firstOf<any>(
    () => settings.a.b,
    () => settings.c,
    () => "none",
);

export const possible = can(() => settings.a.x);

export const eventual = thing.list.apply((list) =>
    firstOf(
        () => list[3].s,
        () => "short",
    ),
);

export const recovered = pulumi.recover(
    thing.out,
    (error) => `failed: ${error.message ?? error}`,
);
