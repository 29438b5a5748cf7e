// An HTTP interface without servers: a function, its role, a table, a queue of work and the gateway.

import * as pulumi from "@pulumi/pulumi";
import * as aws from "@pulumi/aws";

const config = new pulumi.Config();

// Web sites that may call the interface from a browser.
const origins = config.getObject<string[]>("origins") ?? ["*"];

// How long log lines are kept.
const logDays = config.getNumber("logDays") ?? 14;

const account = aws.getCallerIdentityOutput();
const region = aws.getRegionOutput();
const name = `${pulumi.getProject()}-${pulumi.getStack()}`;

const items = new aws.dynamodb.Table(
    "items",
    {
        billingMode: "PAY_PER_REQUEST",
        hashKey: "id",
        rangeKey: "created",
        attributes: [
            { name: "id", type: "S" },
            { name: "created", type: "N" },
            { name: "owner", type: "S" },
        ],
        globalSecondaryIndexes: [
            {
                name: "byOwner",
                projectionType: "ALL",
                keySchemas: [{ attributeName: "owner", keyType: "HASH" }],
            },
        ],
        pointInTimeRecovery: { enabled: true },
    },
    { protect: true },
);

const failed = new aws.sqs.Queue("failed", {
    messageRetentionSeconds: 14 * 24 * 60 * 60,
});

const work = new aws.sqs.Queue("work", {
    visibilityTimeoutSeconds: 180,
    redrivePolicy: pulumi.jsonStringify({
        deadLetterTargetArn: failed.arn,
        maxReceiveCount: 5,
    }),
});

const role = new aws.iam.Role("role", {
    assumeRolePolicy: JSON.stringify({
        Version: "2012-10-17",
        Statement: [
            {
                Effect: "Allow",
                Action: "sts:AssumeRole",
                Principal: { Service: "lambda.amazonaws.com" },
            },
        ],
    }),
    inlinePolicies: [
        {
            name: "work",
            policy: pulumi.jsonStringify({
                Version: "2012-10-17",
                Statement: [
                    {
                        Effect: "Allow",
                        Action: [
                            "dynamodb:GetItem",
                            "dynamodb:PutItem",
                            "dynamodb:Query",
                        ],
                        Resource: [
                            items.arn,
                            pulumi.interpolate`${items.arn}/index/*`,
                        ],
                    },
                    {
                        Effect: "Allow",
                        Action: [
                            "sqs:ReceiveMessage",
                            "sqs:DeleteMessage",
                            "sqs:GetQueueAttributes",
                            "sqs:SendMessage",
                        ],
                        Resource: work.arn,
                    },
                ],
            }),
        },
    ],
});

const basics = new aws.iam.RolePolicyAttachment("basics", {
    role: role.name,
    policyArn:
        "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole",
});

const handler = new aws.lambda.Function(
    "handler",
    {
        name,
        description: "Answers requests and works through the queue",
        role: role.arn,
        runtime: "python3.12",
        handler: "main.handle",
        timeout: 30,
        memorySize: 256,
        architectures: ["arm64"],
        code: new pulumi.asset.AssetArchive({
            "main.py": new pulumi.asset.StringAsset(
                "def handle(event, context):\n    return {'statusCode': 204}\n",
            ),
        }),
        environment: {
            variables: {
                TABLE: items.name,
                QUEUE: work.url,
            },
        },
        tracingConfig: { mode: "Active" },
    },
    { dependsOn: [basics] },
);

const logs = new aws.cloudwatch.LogGroup("logs", {
    name: pulumi.interpolate`/aws/lambda/${handler.name}`,
    retentionInDays: logDays,
});

const worker = new aws.lambda.EventSourceMapping("worker", {
    eventSourceArn: work.arn,
    functionName: handler.arn,
    batchSize: 10,
    scalingConfig: { maximumConcurrency: 5 },
});

const api = new aws.apigatewayv2.Api("api", {
    protocolType: "HTTP",
    corsConfiguration: {
        allowOrigins: origins,
        allowMethods: ["GET", "POST"],
        maxAge: 300,
    },
});

const integration = new aws.apigatewayv2.Integration("integration", {
    apiId: api.id,
    integrationType: "AWS_PROXY",
    integrationUri: handler.invokeArn,
    payloadFormatVersion: "2.0",
});

const route: aws.apigatewayv2.Route[] = [];
for (const [i, value] of ["GET /items/{id}", "POST /items"].entries()) {
    route.push(
        new aws.apigatewayv2.Route(`route-${i}`, {
            apiId: api.id,
            routeKey: value,
            target: pulumi.interpolate`integrations/${integration.id}`,
        }),
    );
}

const stage = new aws.apigatewayv2.Stage("stage", {
    apiId: api.id,
    name: "$default",
    autoDeploy: true,
    accessLogSettings: {
        destinationArn: logs.arn,
        format: JSON.stringify({
            requestId: "$context.requestId",
            status: "$context.status",
        }),
    },
});

const permission = new aws.lambda.Permission("permission", {
    action: "lambda:InvokeFunction",
    function: handler.name,
    principal: "apigateway.amazonaws.com",
    sourceArn: pulumi.interpolate`arn:aws:execute-api:${region.region}:${account.accountId}:${api.id}/*`,
});

export const url = stage.invokeUrl;
export const queueUrl = work.url;
