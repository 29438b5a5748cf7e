import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

const sh = new random.RandomShuffle("sh", { inputs: ["a"] });
const p = new random.RandomPet("p", { prefix: sh.results[0] });

export const o = pulumi.interpolate`${sh.results[0]}-${p.id}`;
