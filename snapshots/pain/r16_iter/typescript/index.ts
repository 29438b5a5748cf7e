import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

function entriesOf(collection: any): [any, any][] {
    if (Array.isArray(collection)) {
        return [...collection.entries()];
    }
    if (collection == null || typeof collection !== "object") {
        throw new Error(`expected a list or a map, found ${collection}`);
    }
    return Object.keys(collection)
        .sort()
        .map((key) => [key, collection[key]]);
}

function notImplemented(message: string): any {
    throw new Error(message);
}

const config = new pulumi.Config();
const e = config.requireBoolean("e");

const src = e ? notImplemented("x") : {};

const a: random.RandomPet[] = [];
for (const [i] of entriesOf(src)) {
    a.push(new random.RandomPet(`a-${i}`, { prefix: i?.toString() }));
}
