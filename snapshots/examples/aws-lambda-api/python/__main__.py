# An HTTP interface without servers: a function, its role, a table, a queue of work and the gateway.

import json

import pulumi
import pulumi_aws as aws

config = pulumi.Config()

# Web sites that may call the interface from a browser.
origins = config.get_object("origins", ["*"])

# How long log lines are kept.
log_days = config.get_int("logDays", 14)

account = aws.get_caller_identity_output()
region = aws.get_region_output()
name = f"{pulumi.get_project()}-{pulumi.get_stack()}"

items = aws.dynamodb.Table(
    "items",
    billing_mode="PAY_PER_REQUEST",
    hash_key="id",
    range_key="created",
    attributes=[
        {"name": "id", "type": "S"},
        {"name": "created", "type": "N"},
        {"name": "owner", "type": "S"},
    ],
    global_secondary_indexes=[
        {
            "name": "byOwner",
            "projection_type": "ALL",
            "key_schemas": [{"attribute_name": "owner", "key_type": "HASH"}],
        }
    ],
    point_in_time_recovery={"enabled": True},
    opts=pulumi.ResourceOptions(protect=True),
)

failed = aws.sqs.Queue("failed", message_retention_seconds=14 * 24 * 60 * 60)

work = aws.sqs.Queue(
    "work",
    visibility_timeout_seconds=180,
    redrive_policy=pulumi.Output.json_dumps(
        {"deadLetterTargetArn": failed.arn, "maxReceiveCount": 5}
    ),
)

role = aws.iam.Role(
    "role",
    assume_role_policy=json.dumps(
        {
            "Version": "2012-10-17",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Action": "sts:AssumeRole",
                    "Principal": {"Service": "lambda.amazonaws.com"},
                }
            ],
        }
    ),
    inline_policies=[
        {
            "name": "work",
            "policy": pulumi.Output.json_dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Action": [
                                "dynamodb:GetItem",
                                "dynamodb:PutItem",
                                "dynamodb:Query",
                            ],
                            "Resource": [
                                items.arn,
                                pulumi.Output.format("{0}/index/*", items.arn),
                            ],
                        },
                        {
                            "Effect": "Allow",
                            "Action": [
                                "sqs:ReceiveMessage",
                                "sqs:DeleteMessage",
                                "sqs:GetQueueAttributes",
                                "sqs:SendMessage",
                            ],
                            "Resource": work.arn,
                        },
                    ],
                }
            ),
        }
    ],
)

basics = aws.iam.RolePolicyAttachment(
    "basics",
    role=role.name,
    policy_arn="arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole",
)

handler = aws.lambda_.Function(
    "handler",
    name=name,
    description="Answers requests and works through the queue",
    role=role.arn,
    runtime=aws.lambda_.Runtime.PYTHON3D12,
    handler="main.handle",
    timeout=30,
    memory_size=256,
    architectures=["arm64"],
    code=pulumi.AssetArchive(
        {
            "main.py": pulumi.StringAsset(
                "def handle(event, context):\n    return {'statusCode': 204}\n"
            )
        }
    ),
    environment={"variables": {"TABLE": items.name, "QUEUE": work.url}},
    tracing_config={"mode": "Active"},
    opts=pulumi.ResourceOptions(depends_on=basics),
)

logs = aws.cloudwatch.LogGroup(
    "logs",
    name=pulumi.Output.format("/aws/lambda/{0}", handler.name),
    retention_in_days=log_days,
)

worker = aws.lambda_.EventSourceMapping(
    "worker",
    event_source_arn=work.arn,
    function_name=handler.arn,
    batch_size=10,
    scaling_config={"maximum_concurrency": 5},
)

api = aws.apigatewayv2.Api(
    "api",
    protocol_type="HTTP",
    cors_configuration={
        "allow_origins": origins,
        "allow_methods": ["GET", "POST"],
        "max_age": 300,
    },
)

integration = aws.apigatewayv2.Integration(
    "integration",
    api_id=api.id,
    integration_type="AWS_PROXY",
    integration_uri=handler.invoke_arn,
    payload_format_version="2.0",
)

route = [
    aws.apigatewayv2.Route(
        f"route-{i}",
        api_id=api.id,
        route_key=value,
        target=pulumi.Output.format("integrations/{0}", integration.id),
    )
    for i, value in enumerate(["GET /items/{id}", "POST /items"])
]

stage = aws.apigatewayv2.Stage(
    "stage",
    api_id=api.id,
    name="$default",
    auto_deploy=True,
    access_log_settings={
        "destination_arn": logs.arn,
        "format": json.dumps(
            {"requestId": "$context.requestId", "status": "$context.status"}
        ),
    },
)

permission = aws.lambda_.Permission(
    "permission",
    action="lambda:InvokeFunction",
    function=handler.name,
    principal="apigateway.amazonaws.com",
    source_arn=pulumi.Output.format(
        "arn:aws:execute-api:{0}:{1}:{2}/*", region.region, account.account_id, api.id
    ),
)

pulumi.export("url", stage.invoke_url)
pulumi.export("queueUrl", work.url)
