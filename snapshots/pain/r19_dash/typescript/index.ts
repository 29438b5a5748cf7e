import * as random from "@pulumi/random";

const myPet = new random.RandomPet("my.pet/1");
const my_pet = new random.RandomPet("my_pet", { prefix: myPet.id });
const myPetRandomPet = new random.RandomPet("myPet", { prefix: my_pet.id });
