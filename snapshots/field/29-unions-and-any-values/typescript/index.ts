import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as digitalocean from "@pulumi/digitalocean";
import * as std from "@pulumi/std";

// The value at the end of a path of what has no type, as the kind that its use needs.
function checked(
    value: any,
    path: any[],
    kind: string,
    used: string,
    origin: string,
    secret = false,
): any {
    const fail = (at: string, problem: string) => {
        const end = origin.lastIndexOf(" (");
        const source =
            origin &&
            `; it came from ${origin.slice(0, end)}${at}${origin.slice(end)}`;
        return new Error(`${used}${at} ${problem}${source}`);
    };
    const stepText = (key: any) => {
        if (typeof key === "string") {
            return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key)
                ? `.${key}`
                : `["${key}"]`;
        }
        return typeof key === "number" ? `[${key}]` : "[?]";
    };
    const isObject = (found: any) => {
        const prototype =
            typeof found === "object" && found !== null
                ? Object.getPrototypeOf(found)
                : undefined;
        return prototype === null || prototype === Object.prototype;
    };
    const describe = (found: any) => {
        if (found == null) {
            return "null";
        }
        if (typeof found === "boolean") {
            return secret ? "a bool" : String(found);
        }
        if (typeof found === "number") {
            return secret ? "a number" : `the number ${found}`;
        }
        if (typeof found === "string") {
            return secret || [...found].length > 40
                ? "a string"
                : `the string "${found}"`;
        }
        return Array.isArray(found)
            ? "a list"
            : isObject(found)
              ? "an object"
              : "a value";
    };
    const scalar = (found: any, wanted: string): any => {
        if (wanted.startsWith("one of ")) {
            const text = scalar(found, "string");
            return wanted.slice(7).split("|").includes(text) ? text : undefined;
        }
        if (wanted === "bool") {
            return found === "true"
                ? true
                : found === "false"
                  ? false
                  : typeof found === "boolean"
                    ? found
                    : undefined;
        }
        if (wanted === "string") {
            return ["string", "number", "boolean"].includes(typeof found)
                ? String(found)
                : undefined;
        }
        if (wanted !== "int" && wanted !== "number") {
            return undefined;
        }
        if (typeof found === "string") {
            const digits =
                wanted === "int"
                    ? /^[+-]?\d+$/
                    : /^\s*[+-]?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?\s*$/;
            return digits.test(found) && Number.isFinite(Number(found))
                ? Number(found)
                : undefined;
        }
        return typeof found === "number" &&
            (wanted === "number" || Number.isInteger(found))
            ? found
            : undefined;
    };
    const words = (wanted: string): string => {
        if (wanted.startsWith("either(")) {
            const members = wanted.slice(7, -1).split(",").map(words);
            return `${members.slice(0, -1).join(", ")} or ${members[members.length - 1]}`;
        }
        if (wanted.startsWith("one of ")) {
            const members = wanted.slice(7).split("|");
            return (
                "one of " + members.map((member) => `"${member}"`).join(", ")
            );
        }
        if (wanted.endsWith(")")) {
            return wanted.startsWith("list(") ? "a list" : "an object";
        }
        return (
            {
                int: "an int",
                object: "an object",
                collection: "a list or a map",
                sized: "a string, a list or a map",
            }[wanted] ?? `a ${wanted}`
        );
    };
    const isOf = (found: any, wanted: string) => {
        if (wanted === "list") {
            return Array.isArray(found);
        }
        if (wanted === "object") {
            return isObject(found);
        }
        return wanted === "int"
            ? Number.isInteger(found)
            : typeof found === (wanted === "bool" ? "boolean" : wanted);
    };
    const fit = (found: any, wanted: string, at: string): any => {
        if (wanted.startsWith("either(")) {
            const members = wanted.slice(7, -1).split(",");
            const made = members.some((member) => isOf(found, member))
                ? found
                : members
                      .map((member) => scalar(found, member))
                      .find((one) => one !== undefined);
            if (made != null) {
                return made;
            }
        }
        if (
            wanted === "any" ||
            (wanted === "list" && isOf(found, wanted)) ||
            (wanted === "sized" && typeof found === "string") ||
            (["collection", "sized"].includes(wanted) &&
                (Array.isArray(found) || isObject(found)))
        ) {
            return found;
        }
        if (wanted.startsWith("list(") && Array.isArray(found)) {
            return found.map((item, i) =>
                item == null
                    ? item
                    : fit(item, wanted.slice(5, -1), `${at}[${i}]`),
            );
        }
        if (
            (wanted === "object" || wanted.startsWith("map(")) &&
            isObject(found)
        ) {
            const inner = wanted === "object" ? "any" : wanted.slice(4, -1);
            const fitted = (key: string) =>
                found[key] == null
                    ? found[key]
                    : fit(found[key], inner, at + stepText(key));
            const keys = Object.keys(found).sort();
            return Object.fromEntries(keys.map((key) => [key, fitted(key)]));
        }
        const result = scalar(found, wanted);
        if (result !== undefined) {
            return result;
        }
        if (found == null) {
            throw fail(at, "is not set");
        }
        throw fail(at, `must be ${words(wanted)}, and is ${describe(found)}`);
    };
    let at = "";
    for (const key of path) {
        if (Array.isArray(value)) {
            if (!Number.isInteger(key) || key < 0 || key >= value.length) {
                const elements =
                    value.length === 1
                        ? "1 element"
                        : `${value.length} elements`;
                throw fail(at, `has ${elements}, and none at ${stepText(key)}`);
            }
        } else if (value == null) {
            throw fail(at, "is not set");
        } else if (!isObject(value)) {
            throw fail(
                at,
                `must be ${typeof key === "string" ? "an object" : "a list"}, and is ${describe(value)}`,
            );
        } else if (!Object.prototype.hasOwnProperty.call(value, key)) {
            throw fail(at, `has no member "${key}"`);
        }
        value = value[key];
        at += stepText(key);
    }
    if (kind.endsWith("?")) {
        return value == null
            ? kind === "any?"
                ? value
                : undefined
            : fit(value, kind.slice(0, -1), at);
    }
    return fit(value, kind, at);
}

/** What a text of the configuration stands for: the value of JSON, or else itself. */
function jsonOrText<T>(text: string): T;
function jsonOrText<T>(text: string | undefined): T | undefined;
function jsonOrText(text: string | undefined): unknown {
    try {
        return text === undefined ? undefined : JSON.parse(text);
    } catch {
        return text;
    }
}

const config = new pulumi.Config();
const region = config.get("region") ?? "sfo3";
const anything = jsonOrText<any>(config.require("anything"));

const pools = ["s-1vcpu-2gb", "custom-slug"];

const node: digitalocean.Droplet[] = [];
for (const [i, pool] of pools.entries()) {
    node.push(
        new digitalocean.Droplet(`node-${i}`, {
            image: "ubuntu-24-04-x64",
            size: pool,
            region,
        }),
    );
}

const volume = new digitalocean.Volume("volume", {
    region: node[0].region,
    size: 50,
    initialFilesystemType:
        region === "sfo3"
            ? digitalocean.FileSystemType.XFS
            : digitalocean.FileSystemType.EXT4,
});

const run = new command.local.Command("run", {
    create: "echo hi",
    triggers: [
        1,
        "two",
        true,
        null,
        [volume.id, 4],
        { key: node[1].name, deep: { flag: false } },
        volume.size,
    ],
});

const stash = new pulumi.Stash("stash", {
    input: {
        list: [1, "a", volume.id],
        object: { nested: anything },
        text: "x",
    },
});

export const decoded = std.jsondecodeOutput({
    input: '{"a":{"b":[1,2]}}',
}).result;

export const viaAny = checked(
    anything,
    ["some", "path"],
    "any?",
    "main.pp:48:11: anything",
    "config anything (main.pp:5:8)",
);

export const stashed = stash.output;
