import json

import pulumi
import pulumi_digitalocean as digitalocean
import pulumi_github as github

config = pulumi.Config()
principals = config.get_object("principals", ["alice", "bob"])

bucket = digitalocean.SpacesBucket("bucket", region=digitalocean.Region.NYC3)

policy = digitalocean.SpacesBucketPolicy(
    "policy",
    bucket=bucket.name,
    region="nyc3",
    policy=pulumi.Output.json_dumps(
        {
            "Version": "2012-10-17",
            "Statement": [
                {
                    "Sid": "IPAllow",
                    "Effect": "Deny",
                    "Principal": "*",
                    "Action": "s3:*",
                    "Resource": [
                        pulumi.Output.format("arn:aws:s3:::{0}", bucket.name),
                        pulumi.Output.format("arn:aws:s3:::{0}/*", bucket.name),
                    ],
                    "Condition": {
                        "NotIpAddress": {"aws:SourceIp": "54.240.143.0/24"},
                        "StringEquals": {"s3:x-amz-acl": ["public-read"]},
                    },
                },
                {
                    "Effect": "Allow",
                    "Principal": [f"user/{p}" for p in principals],
                    "Action": ["s3:GetObject"],
                    "Resource": bucket.bucket_urn,
                },
            ],
        }
    ),
)

settings = github.RepositoryFile(
    "settings",
    repository="shop",
    file="settings.json",
    content=pulumi.Output.json_dumps(
        {
            "bucket": bucket.name,
            "endpoint": bucket.endpoint,
            "debug": False,
            "retries": 3,
            "ratio": 0.5,
            "none": None,
            "nested": {"list": [1, 2, 3], "urn": bucket.bucket_urn},
        }
    ),
)

pulumi.export("document", json.dumps({"a": 1, "b-c": [True, "x"]}))
