import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

const config = new pulumi.Config();

// Who the pets belong to.
const owner = config.require("owner");

// One name for each pet.
const name: random.RandomPet[] = [];
for (let i = 0; i < 2; i++) {
    name.push(new random.RandomPet(`name-${i}`, { prefix: owner }));
}

export const names = name.map((randomPet) => randomPet.id);
