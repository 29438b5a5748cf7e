import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

function entriesOf(collection: any): [any, any][] {
    if (Array.isArray(collection)) {
        return [...collection.entries()];
    }
    return Object.keys(collection)
        .sort()
        .map((key) => [key, collection[key]]);
}

const config = new pulumi.Config();
const copies = config.requireObject<any>("copies");

const some: random.RandomPet[] = [];
for (const [i] of entriesOf(copies)) {
    some.push(new random.RandomPet(`some-${i}`, {}));
}
