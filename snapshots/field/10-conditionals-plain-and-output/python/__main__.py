import pulumi
import pulumi_digitalocean as digitalocean
import pulumi_github as github
import pulumi_random as random

config = pulumi.Config()
is_production = config.get_bool("isProduction", False)
size = config.get("size", "")
count = config.get_int("count", 3)

node_size = "s-4vcpu-8gb" if is_production else (size if size != "" else "s-1vcpu-1gb")
nodes = max(count, 3) if is_production else 1

password = random.RandomPassword(
    "password",
    length=32 if is_production else 16,
    special=is_production,
    min_special=2 if is_production else 0,
    opts=pulumi.ResourceOptions(protect=is_production),
)

pool = digitalocean.KubernetesNodePool(
    "pool",
    cluster_id="c0ffee",
    size=node_size,
    node_count=nodes,
    labels={"tier": "prod"} if is_production else {"tier": "dev"},
    tags=["prod", "audited"] if is_production else [],
)

hook = github.RepositoryWebhook(
    "hook",
    repository="shop",
    events=["push", "release"] if is_production else ["push"],
    active=pool.auto_scale.apply(lambda auto_scale: auto_scale is not True),
    configuration={
        "url": pool.node_count.apply(
            lambda node_count: f"https://ci.example.com/{'single' if node_count == 1 else 'multi'}"
        ),
        "secret": password.length.apply(
            lambda length: password.result if length > 20 else "weak"
        ),
    },
)

pulumi.export(
    "kind", password.special.apply(lambda special: "special" if special else "simple")
)

pulumi.export(
    "label",
    pulumi.Output.all(size=pool.size, name=pool.name).apply(
        lambda args: (
            args["name"] if args["size"] == "s-4vcpu-8gb" else f"small-{args['name']}"
        )
    ),
)
