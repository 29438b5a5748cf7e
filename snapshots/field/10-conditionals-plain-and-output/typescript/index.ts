import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import * as github from "@pulumi/github";
import * as random from "@pulumi/random";

const config = new pulumi.Config();
const isProduction = config.getBoolean("isProduction") ?? false;
const size = config.get("size") ?? "";
const count = config.getNumber("count") ?? 3;

const nodeSize = isProduction
    ? "s-4vcpu-8gb"
    : size !== ""
      ? size
      : "s-1vcpu-1gb";

const nodes = isProduction ? Math.max(count, 3) : 1;

const password = new random.RandomPassword(
    "password",
    {
        length: isProduction ? 32 : 16,
        special: isProduction,
        minSpecial: isProduction ? 2 : 0,
    },
    { protect: isProduction },
);

const pool = new digitalocean.KubernetesNodePool("pool", {
    clusterId: "c0ffee",
    size: nodeSize,
    nodeCount: nodes,
    labels: isProduction ? { tier: "prod" } : { tier: "dev" },
    tags: isProduction ? ["prod", "audited"] : [],
});

const hook = new github.RepositoryWebhook("hook", {
    repository: "shop",
    events: isProduction ? ["push", "release"] : ["push"],
    active: pool.autoScale.apply((autoScale) => autoScale !== true),
    configuration: {
        url: pool.nodeCount.apply(
            (nodeCount) =>
                `https://ci.example.com/${nodeCount === 1 ? "single" : "multi"}`,
        ),
        secret: password.length.apply((length) =>
            length > 20 ? password.result : pulumi.output("weak"),
        ),
    },
});

export const kind = password.special.apply((special) =>
    special ? "special" : "simple",
);

export const label = pulumi
    .all([pool.size, pool.name])
    .apply(([size, name]) => (size === "s-4vcpu-8gb" ? name : `small-${name}`));
