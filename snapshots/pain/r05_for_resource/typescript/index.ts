import * as random from "@pulumi/random";

const pets: random.RandomPet[] = [];
for (let i = 0; i < 3; i++) {
    pets.push(new random.RandomPet(`pets-${i}`));
}

const sh = new random.RandomShuffle("sh", { inputs: pets.map((p) => p.id) });
