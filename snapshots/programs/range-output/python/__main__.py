# Copies whose number is known only at deployment.

import pulumi_probe as probe

source = probe.Thing("source")

per_name = source.names.apply(
    lambda names: [
        probe.Thing(f"perName-{i}", label=name) for i, name in enumerate(names)
    ]
)

per_tag = source.tags.apply(
    lambda tags: {
        key: probe.Thing(f"perTag-{key}", label=f"{key}={tag}")
        for key, tag in sorted(tags.items())
    }
)
