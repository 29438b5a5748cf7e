// Copies whose number is known only at deployment.

import * as probe from "@pulumi/probe";

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

const source = new probe.Thing("source");

const perName = source.names.apply((values) =>
    values.map((name, i) => new probe.Thing(`perName-${i}`, { label: name })),
);

const perTag = source.tags.apply((values) =>
    Object.fromEntries(
        sortedEntries(values).map(([key, tag]) => [
            key,
            new probe.Thing(`perTag-${key}`, { label: `${key}=${tag}` }),
        ]),
    ),
);
