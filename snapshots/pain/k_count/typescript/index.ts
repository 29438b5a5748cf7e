import * as random from "@pulumi/random";

const sh = new random.RandomShuffle("sh", { inputs: ["a"] });

const p = sh.results.apply((results) =>
    Array.from(
        { length: results.length },
        (_, i) => new random.RandomPet(`p-${i}`, { prefix: sh.results[i] }),
    ),
);
