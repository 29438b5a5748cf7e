import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

const randomPet = new random.RandomPet("random");

const pulumiRandomPet = new random.RandomPet("pulumi", {
    prefix: randomPet.id,
});

const _this = new random.RandomPet("this", { prefix: pulumiRandomPet.id });
const lambda = new random.RandomPet("lambda", { prefix: _this.id });
const ctx = new random.RandomPet("ctx", { prefix: lambda.id });
const err = new random.RandomPet("err", { prefix: ctx.id });
const string = new random.RandomPet("string", { prefix: err.id });
const config = new random.RandomPet("config", { prefix: string.id });
const main = new random.RandomPet("main", { prefix: config.id });
const json = new random.RandomPet("json", { prefix: main.id });

export const o = pulumi.jsonStringify({ a: json.id });
