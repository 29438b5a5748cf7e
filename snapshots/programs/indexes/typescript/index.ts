// Parts of values, plain and eventual, by fixed and by computed keys.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

function entryOf<T>(members: Record<string, T>, key: string): T {
    if (!Object.hasOwn(members, key)) {
        throw new Error(`there is no ${JSON.stringify(key)} in the map`);
    }
    return members[key];
}

function itemAt<T>(values: T[], index: number): T {
    if (!(index in values)) {
        throw new Error(
            `index ${index} is out of range of ${values.length} elements`,
        );
    }
    return values[index];
}

const config = new pulumi.Config();
const names = config.getObject<string[]>("names") ?? ["a", "b"];
const tags = config.getObject<Record<string, string>>("tags") ?? { a: "1" };
const at = config.getNumber("at") ?? 1;
const key = config.get("key") ?? "a";

const thing = new probe.Thing("thing");

export const plain = [
    names[0],
    itemAt(names, at),
    names[1],
    entryOf(tags, "a"),
    entryOf(tags, "a"),
    entryOf(tags, key),
    itemAt([1, 2, 3], at),
    { a: 1 }.a,
];

export const eventual = [
    thing.names[0],
    thing.names[at],
    thing.tags.a,
    thing.tags[key],
    thing.list[at].inner!.apply((inner) => inner?.s),
];

export const keyIsEventual = thing.out.apply((out) => entryOf(tags, out));
