// A static web site: a private bucket, a content delivery network in front of it, and the pages.

import * as pulumi from "@pulumi/pulumi";
import * as aws from "@pulumi/aws";

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

const config = new pulumi.Config();

// The name of the site, such as www.example.com.
const domain = config.require("domain");

// Which parts of the world are served from near by.
const priceClass = config.get("priceClass") ?? "PriceClass_100";

const pages = {
    "index.html": "text/html",
    "error.html": "text/html",
    "style.css": "text/css",
};

const content = new aws.s3.Bucket("content", {
    bucket: `${domain}-content`,
    tags: { Site: domain },
});

const versioning = new aws.s3.BucketVersioning("versioning", {
    bucket: content.id,
    versioningConfiguration: { status: "Enabled" },
});

// Nobody reads the bucket but the distribution.
const privacy = new aws.s3.BucketPublicAccessBlock("privacy", {
    bucket: content.id,
    blockPublicAcls: true,
    blockPublicPolicy: true,
    ignorePublicAcls: true,
    restrictPublicBuckets: true,
});

const page: Record<string, aws.s3.BucketObject> = {};
for (const [key, value] of sortedEntries(pages)) {
    page[key] = new aws.s3.BucketObject(`page-${key}`, {
        bucket: content.id,
        key,
        source: new pulumi.asset.FileAsset(`./site/${key}`),
        contentType: value,
    });
}

const access = new aws.cloudfront.OriginAccessControl("access", {
    name: domain,
    description: `Lets the distribution of ${domain} read its bucket`,
    originAccessControlOriginType: "s3",
    signingBehavior: "always",
    signingProtocol: "sigv4",
});

const caching = aws.cloudfront.getCachePolicyOutput({
    name: "Managed-CachingOptimized",
});

const distribution = new aws.cloudfront.Distribution(
    "distribution",
    {
        enabled: true,
        comment: `Site ${domain}`,
        defaultRootObject: "index.html",
        priceClass,
        isIpv6Enabled: true,
        origins: [
            {
                originId: "content",
                domainName: content.bucketRegionalDomainName,
                originAccessControlId: access.id,
            },
        ],
        defaultCacheBehavior: {
            targetOriginId: "content",
            viewerProtocolPolicy: "redirect-to-https",
            allowedMethods: ["GET", "HEAD", "OPTIONS"],
            cachedMethods: ["GET", "HEAD"],
            cachePolicyId: caching.id,
            compress: true,
        },
        customErrorResponses: [403, 404].map((code) => ({
            errorCode: code,
            responseCode: 404,
            responsePagePath: "/error.html",
        })),
        restrictions: {
            geoRestriction: { restrictionType: "none" },
        },
        viewerCertificate: { cloudfrontDefaultCertificate: true },
    },
    { dependsOn: Object.values(page) },
);

const reading = aws.iam.getPolicyDocumentOutput({
    statements: [
        {
            actions: ["s3:GetObject"],
            resources: [pulumi.interpolate`${content.arn}/*`],
            principals: [
                {
                    type: "Service",
                    identifiers: ["cloudfront.amazonaws.com"],
                },
            ],
            conditions: [
                {
                    test: "StringEquals",
                    variable: "AWS:SourceArn",
                    values: [distribution.arn],
                },
            ],
        },
    ],
});

const policy = new aws.s3.BucketPolicy("policy", {
    bucket: content.id,
    policy: reading.json,
});

export const url = pulumi.interpolate`https://${distribution.domainName}/`;

export const etags = Object.fromEntries(
    Object.entries(page).map(([name, object]) => [name, object.etag]),
);
