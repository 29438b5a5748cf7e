import pulumi

from part import Part

# A component with options that SDKs name for custom resources.
part = Part(
    "part",
    label="l",
    opts=pulumi.ResourceOptions(
        protect=True,
        import_="existing",
        delete_before_replace=True,
        additional_secret_outputs=["label"],
    ),
)

pulumi.export("label", part.shown)
