import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

function wholeNumber(value: any): number {
    const isText = typeof value === "string" && /^[+-]?\d+$/.test(value);
    const number = isText ? Number(value) : value;
    if (number != null && !Number.isInteger(number)) {
        throw new Error(`expected a whole number, found ${value}`);
    }
    return number;
}

const config = new pulumi.Config();
const many = config.getNumber("many") ?? 2;

const some: random.RandomPet[] = [];
for (let i = 0; i < wholeNumber(many); i++) {
    some.push(new random.RandomPet(`some-${i}`, {}));
}

export const ids = some.map((p) => p.id);
