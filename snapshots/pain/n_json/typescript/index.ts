import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

const json = new random.RandomPet("json");

export const o = pulumi.jsonStringify({ a: json.id, b: 1 });
