# Every option of a resource.

import pulumi
import pulumi_probe as probe

base = probe.Thing("base")
special = probe.Provider("special", region="north")

full = probe.Thing(
    "full-name",
    label="all options",
    opts=pulumi.ResourceOptions(
        aliases=[
            "urn:pulumi:dev::project::probe:index:Thing::old",
            pulumi.Alias(name="former"),
            pulumi.Alias(name="moved", parent=None),
        ],
        parent=base,
        provider=special,
        depends_on=base,
        protect=True,
        retain_on_delete=True,
        ignore_changes=["label", "obj.s", 'tags["a.b"]', "list[0].n"],
        hide_diffs=["names"],
        replace_on_changes=["size"],
        deleted_with=base,
        replace_with=[base],
        replacement_trigger=base.out,
        import_="an-id",
        delete_before_replace=True,
        additional_secret_outputs=["out"],
        custom_timeouts=pulumi.CustomTimeouts(create="5m", delete="1h"),
        version="1.0.0",
        plugin_download_url="https://example.com/plugins",
    ),
)
