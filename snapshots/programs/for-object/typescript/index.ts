// Objects made from collections; values grouped by key.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

function fromUniqueEntries<T>(
    entries: [string | number, T][],
): Record<string, T> {
    const result = Object.fromEntries(entries);
    if (Object.keys(result).length < entries.length) {
        throw new Error("two elements have the same key");
    }
    return result;
}

function groupByKey<T>(pairs: [string, T][]): Record<string, T[]> {
    const groups = new Map<string, T[]>();
    pairs.forEach(([key]) => groups.set(key, []));
    pairs.forEach(([key, value]) => groups.get(key)!.push(value));
    return Object.fromEntries(groups);
}

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

const config = new pulumi.Config();
const names = config.getObject<string[]>("names") ?? ["ann", "ben"];

const teams = config.getObject<Record<string, string>>("teams") ?? {
    ann: "web",
    ben: "web",
    cleo: "data",
};

const thing = new probe.Thing("thing", {
    tags: fromUniqueEntries(names.map((name, i) => [name, `number ${i}`])),
});

export const inverted = groupByKey(
    sortedEntries(teams).map(([person, team]) => [team, person]),
);

export const filtered = Object.fromEntries(
    Object.entries(teams)
        .filter(([, team]) => team !== "data")
        .map(([person, team]) => [person, { team, lead: person === "ann" }]),
);

export const groupedLengths = groupByKey(
    names.map((name) => [
        String([...new Intl.Segmenter().segment(name)].length),
        name,
    ]),
);

export const overOutput = thing.list.apply((list) =>
    fromUniqueEntries(list.map((item) => [item.s, item.n])),
);

export const groupedOverOutput = thing.list.apply((list) =>
    groupByKey(list.map((item) => [item.s, item.n])),
);

export const outputValues = fromUniqueEntries(
    names.map((name) => [name, pulumi.interpolate`${thing.out}/${name}`]),
);
