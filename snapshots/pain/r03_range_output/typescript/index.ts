import * as random from "@pulumi/random";

const sh = new random.RandomShuffle("sh", { inputs: ["a", "b"] });

const pets = sh.results.apply((values) =>
    values.map(
        (result, i) => new random.RandomPet(`pets-${i}`, { prefix: result }),
    ),
);
