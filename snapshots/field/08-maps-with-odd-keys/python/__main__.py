import pulumi
import pulumi_digitalocean as digitalocean
import pulumi_random as random

config = pulumi.Config()
environment = config.get("environment", "staging")

key_name = "computed"

id_ = random.RandomId(
    "id",
    byte_length=8,
    keepers={
        "app.kubernetes.io/name": "shop",
        "with space": "1",
        "dash-key": "2",
        'quote"inside': "3",
        "123": "4",
        "class": "5",
        "": "6",
        "ünïcode": "7",
        "snake_key": "8",
        "camelKey": "9",
        f"{environment}/suffix": "10",
        key_name: "11",
    },
)

object_ = digitalocean.SpacesBucketObject(
    "object",
    bucket="assets",
    key="index.html",
    region="nyc3",
    content="<html></html>",
    metadata={"x-amz-meta-owner": "web-team", "Cache.Control": "none", "$weird": "yes"},
)

pulumi.export("owner", object_.metadata["x-amz-meta-owner"])

pulumi.export(
    "mapOut",
    {
        "first-key": id_.hex,
        "second.key": id_.dec,
        "thirdKey": {"nested key": id_.b64_url},
    },
)
