import * as random from "@pulumi/random";

const names = ["a", "b"];

const sh = new random.RandomShuffle("sh", { inputs: names });
