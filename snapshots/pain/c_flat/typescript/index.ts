import { Web } from "./web";

const web = new Web("web", { prefix: "x" });

export const id = web.petId;
