import { Web } from "./web";

const web = new Web("web", {
    prefix: "x",
    tags: ["a"],
    cfg: { path: "p" },
});

const many: Web[] = [];
for (let i = 0; i < 2; i++) {
    many.push(
        new Web(`many-${i}`, {
            prefix: `x${i}`,
            tags: [],
            cfg: { path: "p" },
        }),
    );
}

export const id = web.petId;
