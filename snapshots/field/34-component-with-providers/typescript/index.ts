import * as pulumi from "@pulumi/pulumi";
import * as github from "@pulumi/github";
import { Service } from "./service";

const config = new pulumi.Config();
const token = config.requireSecret("token");

const acme = new github.Provider("acme", {
    owner: "acme",
    token,
});

const platform = new github.Repository(
    "platform",
    { name: "platform" },
    { provider: acme },
);

const service = new Service(
    "service",
    {
        serviceName: "billing",
        template: platform.name,
    },
    {
        providers: [acme],
        dependsOn: [platform],
        protect: true,
    },
);

const other = new Service(
    "other",
    {
        serviceName: "shipping",
        template: platform.name,
    },
    {
        parent: platform,
        providers: { github: acme },
    },
);

export const clone = service.cloneUrl;
export const otherKey = other.deployKey;
