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

/** The JSON value in a text of the configuration, or the text itself. */
function jsonOrText<T>(text: any): T {
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}

const config = new pulumi.Config();
const copies = jsonOrText<any>(config.require("copies"));

const some: random.RandomPet[] = [];
for (const [i] of entriesOf(copies)) {
    some.push(new random.RandomPet(`some-${i}`));
}
