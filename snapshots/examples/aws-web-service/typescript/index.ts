// A container behind a load balancer: ECS on Fargate, in the default network of the account.

import * as pulumi from "@pulumi/pulumi";
import * as aws from "@pulumi/aws";

const config = new pulumi.Config();

// The image of the container.
const image = config.get("image") ?? "nginx:1.27";

// The port on which the container listens.
const port = config.getNumber("port") ?? 80;

// How many containers run.
const replicas = config.getNumber("replicas") ?? 2;

// The key with which the service calls others.
const apiKey = config.requireSecret("apiKey");

const region = aws.getRegionOutput();
const network = aws.ec2.getVpcOutput({ default: true });

const subnets = aws.ec2.getSubnetsOutput({
    filters: [
        {
            name: "vpc-id",
            values: [network.id],
        },
    ],
});

const balancerAccess = new aws.ec2.SecurityGroup("balancerAccess", {
    vpcId: network.id,
    description: "The load balancer",
    ingress: [
        {
            description: "Everybody",
            protocol: "tcp",
            fromPort: 80,
            toPort: 80,
            cidrBlocks: ["0.0.0.0/0"],
        },
    ],
    egress: [
        { protocol: "-1", fromPort: 0, toPort: 0, cidrBlocks: ["0.0.0.0/0"] },
    ],
});

const serviceAccess = new aws.ec2.SecurityGroup("serviceAccess", {
    vpcId: network.id,
    description: "The containers, which only the load balancer reaches",
    ingress: [
        {
            protocol: "tcp",
            fromPort: port,
            toPort: port,
            securityGroups: [balancerAccess.id],
        },
    ],
    egress: [
        { protocol: "-1", fromPort: 0, toPort: 0, cidrBlocks: ["0.0.0.0/0"] },
    ],
});

const balancer = new aws.lb.LoadBalancer("balancer", {
    loadBalancerType: "application",
    ipAddressType: "ipv4",
    securityGroups: [balancerAccess.id],
    subnets: subnets.ids,
});

const group = new aws.lb.TargetGroup("group", {
    port,
    protocol: "HTTP",
    targetType: "ip",
    vpcId: network.id,
    healthCheck: {
        path: "/",
        matcher: "200-399",
        interval: 15,
        healthyThreshold: 2,
    },
});

const listener = new aws.lb.Listener("listener", {
    loadBalancerArn: balancer.arn,
    port: 80,
    protocol: "HTTP",
    defaultActions: [
        {
            type: "forward",
            targetGroupArn: group.arn,
        },
    ],
});

const cluster = new aws.ecs.Cluster("cluster", {
    settings: [{ name: "containerInsights", value: "enabled" }],
});

const logs = new aws.cloudwatch.LogGroup("logs", { retentionInDays: 30 });

const key = new aws.ssm.Parameter("key", {
    name: `/${pulumi.getProject()}/${pulumi.getStack()}/api-key`,
    type: "SecureString",
    value: apiKey,
});

const trust = aws.iam.getPolicyDocumentOutput({
    statements: [
        {
            actions: ["sts:AssumeRole"],
            principals: [
                { type: "Service", identifiers: ["ecs-tasks.amazonaws.com"] },
            ],
        },
    ],
});

const executionRole = new aws.iam.Role("executionRole", {
    assumeRolePolicy: trust.json,
});

const execution = new aws.iam.RolePolicyAttachment("execution", {
    role: executionRole.name,
    policyArn:
        "arn:aws:iam::aws:policy/service-role/AmazonECSTaskExecutionRolePolicy",
});

const readKey = new aws.iam.RolePolicy("readKey", {
    role: executionRole.id,
    policy: pulumi.jsonStringify({
        Version: "2012-10-17",
        Statement: [
            { Effect: "Allow", Action: "ssm:GetParameters", Resource: key.arn },
        ],
    }),
});

const task = new aws.ecs.TaskDefinition("task", {
    family: `${pulumi.getProject()}-${pulumi.getStack()}`,
    cpu: "256",
    memory: "512",
    networkMode: "awsvpc",
    requiresCompatibilities: ["FARGATE"],
    executionRoleArn: executionRole.arn,
    containerDefinitions: pulumi.jsonStringify([
        {
            name: "web",
            image,
            essential: true,
            portMappings: [{ containerPort: port, protocol: "tcp" }],
            secrets: [{ name: "API_KEY", valueFrom: key.arn }],
            logConfiguration: {
                logDriver: "awslogs",
                options: {
                    "awslogs-group": logs.name,
                    "awslogs-region": region.region,
                    "awslogs-stream-prefix": "web",
                },
            },
        },
    ]),
});

const service = new aws.ecs.Service(
    "service",
    {
        cluster: cluster.arn,
        taskDefinition: task.arn,
        launchType: "FARGATE",
        desiredCount: replicas,
        networkConfiguration: {
            assignPublicIp: true,
            subnets: subnets.ids,
            securityGroups: [serviceAccess.id],
        },
        loadBalancers: [
            {
                targetGroupArn: group.arn,
                containerName: "web",
                containerPort: port,
            },
        ],
        deploymentCircuitBreaker: {
            enable: true,
            rollback: true,
        },
    },
    {
        dependsOn: [listener],
        ignoreChanges: ["desiredCount"],
    },
);

export const url = pulumi.interpolate`http://${balancer.dnsName}/`;
export const subnetIds = subnets.ids;
