import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

const config = new pulumi.Config();
const env = config.require("env");

const a = new random.RandomPet("a", {
    prefix: env === "prd" ? "p" : undefined,
});

export const labels = {
    isProd: env === "prd" ? "true" : "false",
    tier: env === "prd" || env === "tools" ? 1 : 2,
};

export const t = a.id.apply((id) => (id === "x" ? "y" : "n"));
