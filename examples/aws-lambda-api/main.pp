// An HTTP interface without servers: a function, its role, a table, a queue of work and the gateway.

config origins "list(string)" {
  description = "Web sites that may call the interface from a browser."
  default     = ["*"]
}

config logDays int {
  description = "How long log lines are kept."
  default     = 14
}

account = invoke("aws:index/getCallerIdentity:getCallerIdentity", {})
region  = invoke("aws:index/getRegion:getRegion", {})
name    = "${project()}-${stack()}"

resource items "aws:dynamodb:Table" {
  billingMode = "PAY_PER_REQUEST"
  hashKey     = "id"
  rangeKey    = "created"

  attributes = [
    { name = "id", type = "S" },
    { name = "created", type = "N" },
    { name = "owner", type = "S" },
  ]

  globalSecondaryIndexes = [
    {
      name           = "byOwner"
      projectionType = "ALL"
      keySchemas     = [{ attributeName = "owner", keyType = "HASH" }]
    },
  ]

  pointInTimeRecovery = {
    enabled = true
  }

  options {
    protect = true
  }
}

resource failed "aws:sqs:Queue" {
  messageRetentionSeconds = 14 * 24 * 60 * 60
}

resource work "aws:sqs:Queue" {
  visibilityTimeoutSeconds = 180
  redrivePolicy = toJSON({
    deadLetterTargetArn = failed.arn
    maxReceiveCount     = 5
  })
}

resource role "aws:iam:Role" {
  assumeRolePolicy = toJSON({
    Version = "2012-10-17"
    Statement = [
      {
        Effect    = "Allow"
        Action    = "sts:AssumeRole"
        Principal = { Service = "lambda.amazonaws.com" }
      },
    ]
  })

  inlinePolicies = [
    {
      name = "work"
      policy = toJSON({
        Version = "2012-10-17"
        Statement = [
          {
            Effect   = "Allow"
            Action   = ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query"]
            Resource = [items.arn, "${items.arn}/index/*"]
          },
          {
            Effect   = "Allow"
            Action   = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:SendMessage"]
            Resource = work.arn
          },
        ]
      })
    },
  ]
}

resource basics "aws:iam:RolePolicyAttachment" {
  role      = role.name
  policyArn = "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"
}

resource handler "aws:lambda:Function" {
  name          = name
  description   = "Answers requests and works through the queue"
  role          = role.arn
  runtime       = "python3.12"
  handler       = "main.handle"
  timeout       = 30
  memorySize    = 256
  architectures = ["arm64"]
  code          = assetArchive({ "main.py" = stringAsset("def handle(event, context):\n    return {'statusCode': 204}\n") })

  environment = {
    variables = {
      TABLE = items.name
      QUEUE = work.url
    }
  }

  tracingConfig = {
    mode = "Active"
  }

  options {
    dependsOn = [basics]
  }
}

resource logs "aws:cloudwatch:LogGroup" {
  name            = "/aws/lambda/${handler.name}"
  retentionInDays = logDays
}

resource worker "aws:lambda:EventSourceMapping" {
  eventSourceArn = work.arn
  functionName   = handler.arn
  batchSize      = 10
  scalingConfig = {
    maximumConcurrency = 5
  }
}

resource api "aws:apigatewayv2:Api" {
  protocolType = "HTTP"
  corsConfiguration = {
    allowOrigins = origins
    allowMethods = ["GET", "POST"]
    maxAge       = 300
  }
}

resource integration "aws:apigatewayv2:Integration" {
  apiId                = api.id
  integrationType      = "AWS_PROXY"
  integrationUri       = handler.invokeArn
  payloadFormatVersion = "2.0"
}

resource route "aws:apigatewayv2:Route" {
  apiId    = api.id
  routeKey = range.value
  target   = "integrations/${integration.id}"

  options {
    range = ["GET /items/{id}", "POST /items"]
  }
}

resource stage "aws:apigatewayv2:Stage" {
  apiId      = api.id
  name       = "$default"
  autoDeploy = true
  accessLogSettings = {
    destinationArn = logs.arn
    format = toJSON({
      requestId = "$context.requestId"
      status    = "$context.status"
    })
  }
}

resource permission "aws:lambda:Permission" {
  action    = "lambda:InvokeFunction"
  function  = handler.name
  principal = "apigateway.amazonaws.com"
  sourceArn = "arn:aws:execute-api:${region.region}:${account.accountId}:${api.id}/*"
}

output url {
  value = stage.invokeUrl
}

output queueUrl {
  value = work.url
}
