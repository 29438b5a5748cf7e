# A static web site: a private bucket, a content delivery network in front of it, and the pages.

import pulumi
import pulumi_aws as aws

config = pulumi.Config()

# The name of the site, such as www.example.com.
domain = config.require("domain")

# Which parts of the world are served from near by.
price_class = config.get("priceClass", "PriceClass_100")

pages = {"index.html": "text/html", "error.html": "text/html", "style.css": "text/css"}

content = aws.s3.Bucket("content", bucket=f"{domain}-content", tags={"Site": domain})

versioning = aws.s3.BucketVersioning(
    "versioning", bucket=content.id, versioning_configuration={"status": "Enabled"}
)

# Nobody reads the bucket but the distribution.
privacy = aws.s3.BucketPublicAccessBlock(
    "privacy",
    bucket=content.id,
    block_public_acls=True,
    block_public_policy=True,
    ignore_public_acls=True,
    restrict_public_buckets=True,
)

page = {
    key: aws.s3.BucketObject(
        f"page-{key}",
        bucket=content.id,
        key=key,
        source=pulumi.FileAsset(f"./site/{key}"),
        content_type=value,
    )
    for key, value in sorted(pages.items())
}

access = aws.cloudfront.OriginAccessControl(
    "access",
    name=domain,
    description=f"Lets the distribution of {domain} read its bucket",
    origin_access_control_origin_type="s3",
    signing_behavior="always",
    signing_protocol="sigv4",
)

caching = aws.cloudfront.get_cache_policy_output(name="Managed-CachingOptimized")

distribution = aws.cloudfront.Distribution(
    "distribution",
    enabled=True,
    comment=f"Site {domain}",
    default_root_object="index.html",
    price_class=price_class,
    is_ipv6_enabled=True,
    origins=[
        {
            "origin_id": "content",
            "domain_name": content.bucket_regional_domain_name,
            "origin_access_control_id": access.id,
        }
    ],
    default_cache_behavior={
        "target_origin_id": "content",
        "viewer_protocol_policy": "redirect-to-https",
        "allowed_methods": ["GET", "HEAD", "OPTIONS"],
        "cached_methods": ["GET", "HEAD"],
        "cache_policy_id": caching.id,
        "compress": True,
    },
    custom_error_responses=[
        {"error_code": code, "response_code": 404, "response_page_path": "/error.html"}
        for code in [403, 404]
    ],
    restrictions={"geo_restriction": {"restriction_type": "none"}},
    viewer_certificate={"cloudfront_default_certificate": True},
    opts=pulumi.ResourceOptions(depends_on=[*page.values()]),
)

reading = aws.iam.get_policy_document_output(
    statements=pulumi.Output.all(
        value=pulumi.Output.format("{0}/*", content.arn), arn=distribution.arn
    ).apply(
        lambda args: [
            aws.iam.GetPolicyDocumentStatementArgs(
                actions=["s3:GetObject"],
                resources=[args["value"]],
                principals=[
                    aws.iam.GetPolicyDocumentStatementPrincipalArgs(
                        type="Service", identifiers=["cloudfront.amazonaws.com"]
                    )
                ],
                conditions=[
                    aws.iam.GetPolicyDocumentStatementConditionArgs(
                        test="StringEquals",
                        variable="AWS:SourceArn",
                        values=[args["arn"]],
                    )
                ],
            )
        ]
    )
)

policy = aws.s3.BucketPolicy("policy", bucket=content.id, policy=reading.json)

pulumi.export("url", pulumi.Output.format("https://{0}/", distribution.domain_name))
pulumi.export("etags", {name: object_.etag for name, object_ in page.items()})
