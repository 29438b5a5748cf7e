import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as random from "@pulumi/random";

const pet = new random.RandomPet("pet");
const pw = new random.RandomPassword("pw", { length: 8 });

export const policy = pulumi.jsonStringify({
    Version: "2012-10-17",
    Statement: [
        {
            Effect: "Allow",
            Action: ["s3:*", pulumi.interpolate`list:${pet.id}`],
            Resource: pulumi.interpolate`${pet.id}/*`,
            Count: pet.length,
            On: pw.special,
        },
    ],
});

const apply = new command.local.Command("apply", { create: policy });
