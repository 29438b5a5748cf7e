// A static web site: a private bucket, a content delivery network in front of it, and the pages.

config domain string {
  description = "The name of the site, such as www.example.com."
}

config priceClass string {
  description = "Which parts of the world are served from near by."
  default     = "PriceClass_100"
}

pages = {
  "index.html" = "text/html"
  "error.html" = "text/html"
  "style.css"  = "text/css"
}

resource content "aws:s3:Bucket" {
  bucket = "${domain}-content"
  tags = {
    Site = domain
  }
}

resource versioning "aws:s3:BucketVersioning" {
  bucket = content.id
  versioningConfiguration = {
    status = "Enabled"
  }
}

# Nobody reads the bucket but the distribution.
resource privacy "aws:s3:BucketPublicAccessBlock" {
  bucket                = content.id
  blockPublicAcls       = true
  blockPublicPolicy     = true
  ignorePublicAcls      = true
  restrictPublicBuckets = true
}

resource page "aws:s3:BucketObject" {
  bucket      = content.id
  key         = range.key
  source      = fileAsset("./site/${range.key}")
  contentType = range.value

  options {
    range = pages
  }
}

resource access "aws:cloudfront:OriginAccessControl" {
  name                          = domain
  description                   = "Lets the distribution of ${domain} read its bucket"
  originAccessControlOriginType = "s3"
  signingBehavior               = "always"
  signingProtocol               = "sigv4"
}

caching = invoke("aws:cloudfront/getCachePolicy:getCachePolicy", {
  name = "Managed-CachingOptimized"
})

resource distribution "aws:cloudfront:Distribution" {
  enabled           = true
  comment           = "Site ${domain}"
  defaultRootObject = "index.html"
  priceClass        = priceClass
  isIpv6Enabled     = true

  origins = [
    {
      originId              = "content"
      domainName            = content.bucketRegionalDomainName
      originAccessControlId = access.id
    },
  ]

  defaultCacheBehavior = {
    targetOriginId       = "content"
    viewerProtocolPolicy = "redirect-to-https"
    allowedMethods       = ["GET", "HEAD", "OPTIONS"]
    cachedMethods        = ["GET", "HEAD"]
    cachePolicyId        = caching.id
    compress             = true
  }

  customErrorResponses = [
    for code in [403, 404] : {
      errorCode        = code
      responseCode     = 404
      responsePagePath = "/error.html"
    }
  ]

  restrictions = {
    geoRestriction = {
      restrictionType = "none"
    }
  }

  viewerCertificate = {
    cloudfrontDefaultCertificate = true
  }

  options {
    dependsOn = [page]
  }
}

reading = invoke("aws:iam/getPolicyDocument:getPolicyDocument", {
  statements = [
    {
      actions   = ["s3:GetObject"]
      resources = ["${content.arn}/*"]
      principals = [
        {
          type        = "Service"
          identifiers = ["cloudfront.amazonaws.com"]
        },
      ]
      conditions = [
        {
          test     = "StringEquals"
          variable = "AWS:SourceArn"
          values   = [distribution.arn]
        },
      ]
    },
  ]
})

resource policy "aws:s3:BucketPolicy" {
  bucket = content.id
  policy = reading.json
}

output url {
  value = "https://${distribution.domainName}/"
}

output etags {
  value = { for name, object in page : name => object.etag }
}
