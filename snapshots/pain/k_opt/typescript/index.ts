import * as random from "@pulumi/random";

const p = new random.RandomPet("p", { keepers: { a: "b" } });

const q = new random.RandomPet("q", {
    prefix: p.keepers.apply((keepers) => keepers?.a),
});

export const o = p.keepers.apply((keepers) => keepers?.a);
