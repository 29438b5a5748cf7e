import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

const config = new pulumi.Config();
const many = config.getNumber("many") ?? 2;

const some: random.RandomPet[] = [];
for (let i = 0; i < many; i++) {
    some.push(new random.RandomPet(`some-${i}`));
}

export const ids = some.map((p) => p.id);
