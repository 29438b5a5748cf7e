import * as command from "@pulumi/command";
import * as random from "@pulumi/random";

const pet = new random.RandomPet("pet", {});

const up = command.local.runOutput({ command: pet.id });
const low = command.local.runOutput({ command: "echo ABC" });

const many = low.stdout.apply((stdout) =>
    Array.from(
        { length: [...new Intl.Segmenter().segment(stdout)].length },
        (_, i) => new random.RandomPet(`many-${i}`, {}),
    ),
);

export const u = up.stdout;
export const l = low.stdout;
