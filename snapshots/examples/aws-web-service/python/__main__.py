# A container behind a load balancer: ECS on Fargate, in the default network of the account.

import pulumi
import pulumi_aws as aws

config = pulumi.Config()

# The image of the container.
image = config.get("image", "nginx:1.27")

# The port on which the container listens.
port = config.get_int("port", 80)

# How many containers run.
replicas = config.get_int("replicas", 2)

# The key with which the service calls others.
api_key = config.require_secret("apiKey")

region = aws.get_region_output()
network = aws.ec2.get_vpc_output(default=True)

subnets = aws.ec2.get_subnets_output(
    filters=network.id.apply(
        lambda id_: [aws.ec2.GetSubnetsFilterArgs(name="vpc-id", values=[id_])]
    )
)

balancer_access = aws.ec2.SecurityGroup(
    "balancerAccess",
    vpc_id=network.id,
    description="The load balancer",
    ingress=[
        {
            "description": "Everybody",
            "protocol": "tcp",
            "from_port": 80,
            "to_port": 80,
            "cidr_blocks": ["0.0.0.0/0"],
        }
    ],
    egress=[
        {"protocol": "-1", "from_port": 0, "to_port": 0, "cidr_blocks": ["0.0.0.0/0"]}
    ],
)

service_access = aws.ec2.SecurityGroup(
    "serviceAccess",
    vpc_id=network.id,
    description="The containers, which only the load balancer reaches",
    ingress=[
        {
            "protocol": "tcp",
            "from_port": port,
            "to_port": port,
            "security_groups": [balancer_access.id],
        }
    ],
    egress=[
        {"protocol": "-1", "from_port": 0, "to_port": 0, "cidr_blocks": ["0.0.0.0/0"]}
    ],
)

balancer = aws.lb.LoadBalancer(
    "balancer",
    load_balancer_type="application",
    ip_address_type="ipv4",
    security_groups=[balancer_access.id],
    subnets=subnets.ids,
)

group = aws.lb.TargetGroup(
    "group",
    port=port,
    protocol="HTTP",
    target_type="ip",
    vpc_id=network.id,
    health_check={
        "path": "/",
        "matcher": "200-399",
        "interval": 15,
        "healthy_threshold": 2,
    },
)

listener = aws.lb.Listener(
    "listener",
    load_balancer_arn=balancer.arn,
    port=80,
    protocol="HTTP",
    default_actions=[{"type": "forward", "target_group_arn": group.arn}],
)

cluster = aws.ecs.Cluster(
    "cluster", settings=[{"name": "containerInsights", "value": "enabled"}]
)

logs = aws.cloudwatch.LogGroup("logs", retention_in_days=30)

key = aws.ssm.Parameter(
    "key",
    name=f"/{pulumi.get_project()}/{pulumi.get_stack()}/api-key",
    type=aws.ssm.ParameterType.SECURE_STRING,
    value=api_key,
)

trust = aws.iam.get_policy_document_output(
    statements=[
        {
            "actions": ["sts:AssumeRole"],
            "principals": [
                {"type": "Service", "identifiers": ["ecs-tasks.amazonaws.com"]}
            ],
        }
    ]
)

execution_role = aws.iam.Role("executionRole", assume_role_policy=trust.json)

execution = aws.iam.RolePolicyAttachment(
    "execution",
    role=execution_role.name,
    policy_arn="arn:aws:iam::aws:policy/service-role/AmazonECSTaskExecutionRolePolicy",
)

read_key = aws.iam.RolePolicy(
    "readKey",
    role=execution_role.id,
    policy=pulumi.Output.json_dumps(
        {
            "Version": "2012-10-17",
            "Statement": [
                {"Effect": "Allow", "Action": "ssm:GetParameters", "Resource": key.arn}
            ],
        }
    ),
)

task = aws.ecs.TaskDefinition(
    "task",
    family=f"{pulumi.get_project()}-{pulumi.get_stack()}",
    cpu="256",
    memory="512",
    network_mode="awsvpc",
    requires_compatibilities=["FARGATE"],
    execution_role_arn=execution_role.arn,
    container_definitions=pulumi.Output.json_dumps(
        [
            {
                "name": "web",
                "image": image,
                "essential": True,
                "portMappings": [{"containerPort": port, "protocol": "tcp"}],
                "secrets": [{"name": "API_KEY", "valueFrom": key.arn}],
                "logConfiguration": {
                    "logDriver": "awslogs",
                    "options": {
                        "awslogs-group": logs.name,
                        "awslogs-region": region.region,
                        "awslogs-stream-prefix": "web",
                    },
                },
            }
        ]
    ),
)

service = aws.ecs.Service(
    "service",
    cluster=cluster.arn,
    task_definition=task.arn,
    launch_type="FARGATE",
    desired_count=replicas,
    network_configuration={
        "assign_public_ip": True,
        "subnets": subnets.ids,
        "security_groups": [service_access.id],
    },
    load_balancers=[
        {"target_group_arn": group.arn, "container_name": "web", "container_port": port}
    ],
    deployment_circuit_breaker={"enable": True, "rollback": True},
    opts=pulumi.ResourceOptions(depends_on=listener, ignore_changes=["desiredCount"]),
)

pulumi.export("url", pulumi.Output.format("http://{0}/", balancer.dns_name))
pulumi.export("subnetIds", subnets.ids)
