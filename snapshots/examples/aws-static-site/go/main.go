// A static web site: a private bucket, a content delivery network in front of it, and the pages.

package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/cloudfront"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/iam"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/s3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		// The name of the site, such as www.example.com.
		domain := cfg.Require("domain")

		// Which parts of the world are served from near by.
		priceClass, err := cfg.Try("priceClass")
		if err != nil {
			priceClass = "PriceClass_100"
		}

		pages := map[string]string{
			"index.html": "text/html",
			"error.html": "text/html",
			"style.css":  "text/css",
		}

		content, err := s3.NewBucket(ctx, "content", &s3.BucketArgs{
			Bucket: pulumi.String(domain + "-content"),
			Tags:   pulumi.StringMap{"Site": pulumi.String(domain)},
		})
		if err != nil {
			return err
		}

		_, err = s3.NewBucketVersioning(ctx, "versioning", &s3.BucketVersioningArgs{
			Bucket: content.ID(),
			VersioningConfiguration: &s3.BucketVersioningVersioningConfigurationArgs{
				Status: pulumi.String("Enabled"),
			},
		})
		if err != nil {
			return err
		}

		// Nobody reads the bucket but the distribution.
		_, err = s3.NewBucketPublicAccessBlock(ctx, "privacy", &s3.BucketPublicAccessBlockArgs{
			Bucket:                content.ID(),
			BlockPublicAcls:       pulumi.Bool(true),
			BlockPublicPolicy:     pulumi.Bool(true),
			IgnorePublicAcls:      pulumi.Bool(true),
			RestrictPublicBuckets: pulumi.Bool(true),
		})
		if err != nil {
			return err
		}

		page := map[string]*s3.BucketObject{}
		for _, key := range slices.Sorted(maps.Keys(pages)) {
			value := pages[key]
			bucketObject, err := s3.NewBucketObject(ctx, fmt.Sprintf("page-%s", key), &s3.BucketObjectArgs{
				Bucket:      content.ID(),
				Key:         pulumi.String(key),
				Source:      pulumi.NewFileAsset("./site/" + key),
				ContentType: pulumi.String(value),
			})
			if err != nil {
				return err
			}
			page[key] = bucketObject
		}

		access, err := cloudfront.NewOriginAccessControl(ctx, "access", &cloudfront.OriginAccessControlArgs{
			Name:                          pulumi.String(domain),
			Description:                   pulumi.Sprintf("Lets the distribution of %s read its bucket", domain),
			OriginAccessControlOriginType: pulumi.String("s3"),
			SigningBehavior:               pulumi.String("always"),
			SigningProtocol:               pulumi.String("sigv4"),
		})
		if err != nil {
			return err
		}

		caching := cloudfront.LookupCachePolicyOutput(ctx, cloudfront.LookupCachePolicyOutputArgs{
			Name: pulumi.String("Managed-CachingOptimized"),
		})

		items := []int{403, 404}
		customErrorResponses := make(cloudfront.DistributionCustomErrorResponseArray, 0, len(items))
		for _, code := range items {
			customErrorResponses = append(customErrorResponses, cloudfront.DistributionCustomErrorResponseArgs{
				ErrorCode:        pulumi.Int(code),
				ResponseCode:     pulumi.Int(404),
				ResponsePagePath: pulumi.String("/error.html"),
			})
		}
		var dependsOn []pulumi.Resource
		for _, key := range slices.Sorted(maps.Keys(page)) {
			dependsOn = append(dependsOn, page[key])
		}
		distribution, err := cloudfront.NewDistribution(ctx, "distribution", &cloudfront.DistributionArgs{
			Enabled:           pulumi.Bool(true),
			Comment:           pulumi.String("Site " + domain),
			DefaultRootObject: pulumi.String("index.html"),
			PriceClass:        pulumi.String(priceClass),
			IsIpv6Enabled:     pulumi.Bool(true),
			Origins: cloudfront.DistributionOriginArray{
				cloudfront.DistributionOriginArgs{
					OriginId:              pulumi.String("content"),
					DomainName:            content.BucketRegionalDomainName,
					OriginAccessControlId: access.ID(),
				},
			},
			DefaultCacheBehavior: &cloudfront.DistributionDefaultCacheBehaviorArgs{
				TargetOriginId:       pulumi.String("content"),
				ViewerProtocolPolicy: pulumi.String("redirect-to-https"),
				AllowedMethods: pulumi.StringArray{
					pulumi.String("GET"),
					pulumi.String("HEAD"),
					pulumi.String("OPTIONS"),
				},
				CachedMethods: pulumi.StringArray{pulumi.String("GET"), pulumi.String("HEAD")},
				CachePolicyId: caching.Id(),
				Compress:      pulumi.Bool(true),
			},
			CustomErrorResponses: customErrorResponses,
			Restrictions: &cloudfront.DistributionRestrictionsArgs{
				GeoRestriction: &cloudfront.DistributionRestrictionsGeoRestrictionArgs{
					RestrictionType: pulumi.String("none"),
				},
			},
			ViewerCertificate: &cloudfront.DistributionViewerCertificateArgs{
				CloudfrontDefaultCertificate: pulumi.Bool(true),
			},
		}, pulumi.DependsOn(dependsOn))
		if err != nil {
			return err
		}

		reading := iam.GetPolicyDocumentOutput(ctx, iam.GetPolicyDocumentOutputArgs{
			Statements: iam.GetPolicyDocumentStatementArray{
				iam.GetPolicyDocumentStatementArgs{
					Actions:   pulumi.StringArray{pulumi.String("s3:GetObject")},
					Resources: pulumi.StringArray{pulumi.Sprintf("%s/*", content.Arn)},
					Principals: iam.GetPolicyDocumentStatementPrincipalArray{
						iam.GetPolicyDocumentStatementPrincipalArgs{
							Type: pulumi.String("Service"),
							Identifiers: pulumi.StringArray{
								pulumi.String("cloudfront.amazonaws.com"),
							},
						},
					},
					Conditions: iam.GetPolicyDocumentStatementConditionArray{
						iam.GetPolicyDocumentStatementConditionArgs{
							Test:     pulumi.String("StringEquals"),
							Variable: pulumi.String("AWS:SourceArn"),
							Values:   pulumi.StringArray{distribution.Arn},
						},
					},
				},
			},
		})

		_, err = s3.NewBucketPolicy(ctx, "policy", &s3.BucketPolicyArgs{
			Bucket: content.ID(),
			Policy: reading.Json(),
		})
		if err != nil {
			return err
		}

		ctx.Export("url", pulumi.Sprintf("https://%s/", distribution.DomainName))

		etags := pulumi.StringMap{}
		for name, object := range page {
			etags[name] = object.Etag
		}
		ctx.Export("etags", etags)
		return nil
	})
}
