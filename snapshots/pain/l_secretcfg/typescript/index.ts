import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

const config = new pulumi.Config();
const pw = config.requireSecret("pw");

const p = new random.RandomPet("p", { prefix: pw });

export const o = pw;
