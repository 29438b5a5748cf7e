import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import * as random from "@pulumi/random";

function singleOrNone<T>(values: T[]): T | undefined {
    if (values.length > 1) {
        throw new Error("expected at most one element");
    }
    return values[0];
}

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

const config = new pulumi.Config();

const servers = config.getObject<string[]>("servers") ?? [
    "alpha",
    "beta",
    "gamma",
];

const sizes = config.getObject<Record<string, string>>("sizes") ?? {
    small: "s-1vcpu-1gb",
    large: "s-4vcpu-8gb",
};

const path = config.get("path") ?? "a/b/c";
const limit = config.getNumber("limit") ?? 5;

const picked = sizes.small ?? "s-1vcpu-2gb";
const second = servers[1 % servers.length];
const joined = servers.join(",");
const pieces = path.split("/");
const count = servers.length;
const lowest = Math.min(count, limit, 10);
const highest = Math.max(count, limit);
const pairs = sortedEntries(sizes).map(([key, value]) => `${key}:${value}`);
const numbers = Array.from({ length: 3 }, (_, i) => i);
const offset = Array.from({ length: 3 }, (_, i) => 2 + i).map((i) => `n${i}`);
const only = singleOrNone([second]);

const shuffle = new random.RandomShuffle("shuffle", {
    inputs: pieces,
    resultCount: lowest,
});

const pet = new random.RandomPet("pet", {
    length: shuffle.inputs.apply((inputs) => inputs.length),
    prefix: shuffle.results.apply((results) => results.join("-")),
    separator: shuffle.results.apply((results) => results[0]),
});

const vm = new digitalocean.Droplet("vm", {
    image: "ubuntu-24-04-x64",
    size: picked,
    region: digitalocean.Region.NYC3,
    tags: joined.split(","),
});

export const outputs = {
    joined,
    highest,
    pairs,
    numbers,
    offset,
    only,
    split: pet.id.apply((id) => id.split("-")),
    length: vm.volumeIds.apply((volumeIds) => volumeIds.length),
    nameLen: vm.name.apply(
        (name) => [...new Intl.Segmenter().segment(name)].length,
    ),
};
