import * as command from "@pulumi/command";
import * as random from "@pulumi/random";

export = async () => {
    const pet = new random.RandomPet("pet");

    const up = command.local.runOutput({ command: pet.id });
    const low = await command.local.run({ command: "echo ABC" });

    const many: random.RandomPet[] = [];
    for (
        let i = 0;
        i < [...new Intl.Segmenter().segment(low.stdout)].length;
        i++
    ) {
        many.push(new random.RandomPet(`many-${i}`));
    }

    return {
        u: up.stdout,
        l: low.stdout,
    };
};
