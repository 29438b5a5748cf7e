import * as random from "@pulumi/random";

const pets: random.RandomPet[] = [];
for (let i = 0; i < 2; i++) {
    pets.push(new random.RandomPet(`pets-${i}`, { prefix: `p-${i}` }));
}

export const all = pets.map((pet) => pet.id);
export const first = pets[0].id;
