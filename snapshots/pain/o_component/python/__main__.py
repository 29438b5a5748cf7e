import pulumi

from part import Part

part = Part("part", env="prd")
other = Part("other", env=part.summary["label"])

pulumi.export("kind", part.summary["kind"])
