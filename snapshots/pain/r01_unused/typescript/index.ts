import * as random from "@pulumi/random";

const backend = "img";
const pet = "x";

const a = new random.RandomPet("a", { prefix: pet });
