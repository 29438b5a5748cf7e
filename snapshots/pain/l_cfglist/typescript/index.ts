import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

const config = new pulumi.Config();
const names = config.requireObject<string[]>("names");

const sh = new random.RandomShuffle("sh", { inputs: names });

export const first = names[0];
