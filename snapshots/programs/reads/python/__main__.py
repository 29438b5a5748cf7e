# Resources that exist already.

import pulumi
import pulumi_probe as probe

fresh = probe.Thing("fresh")
existing = probe.Thing.get("existing", "thing-1")

related = probe.Thing.get(
    "related", fresh.id, out="known", opts=pulumi.ResourceOptions(parent=fresh)
)

pulumi.export("found", pulumi.Output.format("{0} {1}", existing.out, related.id))
