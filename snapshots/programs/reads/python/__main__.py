# Resources that exist already.

import pulumi
import pulumi_probe as probe

fresh = probe.Thing("fresh")
existing = probe.Thing.get("existing", "thing-1")

related = probe.Thing.get(
    "related", fresh.id, out="known", opts=pulumi.ResourceOptions(parent=fresh)
)

# What is read can be the element of a range, and nothing else be said of it.
several = {
    key: probe.Thing.get(f"several-{key}", value)
    for key, value in sorted({"first": "thing-2", "second": "thing-3"}.items())
}

counted = [
    probe.Thing.get(f"counted-{i}", value)
    for i, value in enumerate(["thing-4", "thing-5"])
]

pulumi.export("found", pulumi.Output.format("{0} {1}", existing.out, related.id))
