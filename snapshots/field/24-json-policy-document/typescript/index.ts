import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import * as github from "@pulumi/github";

const config = new pulumi.Config();
const principals = config.getObject<string[]>("principals") ?? ["alice", "bob"];

const bucket = new digitalocean.SpacesBucket("bucket", {
    region: digitalocean.Region.NYC3,
});

const policy = new digitalocean.SpacesBucketPolicy("policy", {
    bucket: bucket.name,
    region: "nyc3",
    policy: pulumi.jsonStringify({
        Version: "2012-10-17",
        Statement: [
            {
                Sid: "IPAllow",
                Effect: "Deny",
                Principal: "*",
                Action: "s3:*",
                Resource: [
                    pulumi.interpolate`arn:aws:s3:::${bucket.name}`,
                    pulumi.interpolate`arn:aws:s3:::${bucket.name}/*`,
                ],
                Condition: {
                    NotIpAddress: { "aws:SourceIp": "54.240.143.0/24" },
                    StringEquals: { "s3:x-amz-acl": ["public-read"] },
                },
            },
            {
                Effect: "Allow",
                Principal: principals.map((p) => `user/${p}`),
                Action: ["s3:GetObject"],
                Resource: bucket.bucketUrn,
            },
        ],
    }),
});

const settings = new github.RepositoryFile("settings", {
    repository: "shop",
    file: "settings.json",
    content: pulumi.jsonStringify({
        bucket: bucket.name,
        endpoint: bucket.endpoint,
        debug: false,
        retries: 3,
        ratio: 0.5,
        none: null,
        nested: {
            list: [1, 2, 3],
            urn: bucket.bucketUrn,
        },
    }),
});

export const document = JSON.stringify({ a: 1, "b-c": [true, "x"] });
