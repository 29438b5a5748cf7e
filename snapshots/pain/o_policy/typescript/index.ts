import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as random from "@pulumi/random";

const pet = new random.RandomPet("pet");
const pw = new random.RandomPassword("pw", { length: 8 });

export const policy = pulumi.jsonStringify({
    Statement: [
        {
            Action: ["s3:*", pulumi.interpolate`list:${pet.id}`],
            Count: pet.length,
            Effect: "Allow",
            On: pw.special,
            Resource: pulumi.interpolate`${pet.id}/*`,
        },
    ],
    Version: "2012-10-17",
});

const apply = new command.local.Command("apply", { create: policy });
