import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

const pet = new random.RandomPet("pet");

const local = pet.id;

const b = new random.RandomPet("b", { prefix: pulumi.interpolate`${local}-b` });

export const o = [pet.id, "lit"];
