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
