import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

const pet = new random.RandomPet("pet");

export const a = pulumi.interpolate`100% of ${pet.id} %d %%`;
export const b = pet.id.apply((id) => ({ [`k-%v-${id}`]: 1 }));
export const c = pet.id.apply((id) => ({ [id]: 2 }));
