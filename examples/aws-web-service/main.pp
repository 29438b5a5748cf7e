// A container behind a load balancer: ECS on Fargate, in the default network of the account.

config image string {
  description = "The image of the container."
  default     = "nginx:1.27"
}

config port int {
  description = "The port on which the container listens."
  default     = 80
}

config replicas int {
  description = "How many containers run."
  default     = 2
}

config apiKey string {
  description = "The key with which the service calls others."
  secret      = true
}

region = invoke("aws:index/getRegion:getRegion", {})

network = invoke("aws:ec2/getVpc:getVpc", {
  default = true
})

subnets = invoke("aws:ec2/getSubnets:getSubnets", {
  filters = [
    {
      name   = "vpc-id"
      values = [network.id]
    },
  ]
})

resource balancerAccess "aws:ec2:SecurityGroup" {
  vpcId       = network.id
  description = "The load balancer"
  ingress = [
    {
      description = "Everybody"
      protocol    = "tcp"
      fromPort    = 80
      toPort      = 80
      cidrBlocks  = ["0.0.0.0/0"]
    },
  ]
  egress = [{ protocol = "-1", fromPort = 0, toPort = 0, cidrBlocks = ["0.0.0.0/0"] }]
}

resource serviceAccess "aws:ec2:SecurityGroup" {
  vpcId       = network.id
  description = "The containers, which only the load balancer reaches"
  ingress = [
    {
      protocol       = "tcp"
      fromPort       = port
      toPort         = port
      securityGroups = [balancerAccess.id]
    },
  ]
  egress = [{ protocol = "-1", fromPort = 0, toPort = 0, cidrBlocks = ["0.0.0.0/0"] }]
}

resource balancer "aws:lb:LoadBalancer" {
  loadBalancerType = "application"
  ipAddressType    = "ipv4"
  securityGroups   = [balancerAccess.id]
  subnets          = subnets.ids
}

resource group "aws:lb:TargetGroup" {
  port       = port
  protocol   = "HTTP"
  targetType = "ip"
  vpcId      = network.id
  healthCheck = {
    path             = "/"
    matcher          = "200-399"
    interval         = 15
    healthyThreshold = 2
  }
}

resource listener "aws:lb:Listener" {
  loadBalancerArn = balancer.arn
  port            = 80
  protocol        = "HTTP"
  defaultActions = [
    {
      type           = "forward"
      targetGroupArn = group.arn
    },
  ]
}

resource cluster "aws:ecs:Cluster" {
  settings = [{ name = "containerInsights", value = "enabled" }]
}

resource logs "aws:cloudwatch:LogGroup" {
  retentionInDays = 30
}

resource key "aws:ssm:Parameter" {
  name  = "/${project()}/${stack()}/api-key"
  type  = "SecureString"
  value = apiKey
}

trust = invoke("aws:iam/getPolicyDocument:getPolicyDocument", {
  statements = [
    {
      actions    = ["sts:AssumeRole"]
      principals = [{ type = "Service", identifiers = ["ecs-tasks.amazonaws.com"] }]
    },
  ]
})

resource executionRole "aws:iam:Role" {
  assumeRolePolicy = trust.json
}

resource execution "aws:iam:RolePolicyAttachment" {
  role      = executionRole.name
  policyArn = "arn:aws:iam::aws:policy/service-role/AmazonECSTaskExecutionRolePolicy"
}

resource readKey "aws:iam:RolePolicy" {
  role = executionRole.id
  policy = toJSON({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "ssm:GetParameters", Resource = key.arn }]
  })
}

resource task "aws:ecs:TaskDefinition" {
  family                  = "${project()}-${stack()}"
  cpu                     = "256"
  memory                  = "512"
  networkMode             = "awsvpc"
  requiresCompatibilities = ["FARGATE"]
  executionRoleArn        = executionRole.arn

  containerDefinitions = toJSON([
    {
      name         = "web"
      image        = image
      essential    = true
      portMappings = [{ containerPort = port, protocol = "tcp" }]
      secrets      = [{ name = "API_KEY", valueFrom = key.arn }]
      logConfiguration = {
        logDriver = "awslogs"
        options = {
          "awslogs-group"         = logs.name
          "awslogs-region"        = region.region
          "awslogs-stream-prefix" = "web"
        }
      }
    },
  ])
}

resource service "aws:ecs:Service" {
  cluster        = cluster.arn
  taskDefinition = task.arn
  launchType     = "FARGATE"
  desiredCount   = replicas

  networkConfiguration = {
    assignPublicIp = true
    subnets        = subnets.ids
    securityGroups = [serviceAccess.id]
  }

  loadBalancers = [
    {
      targetGroupArn = group.arn
      containerName  = "web"
      containerPort  = port
    },
  ]

  deploymentCircuitBreaker = {
    enable   = true
    rollback = true
  }

  options {
    dependsOn     = [listener]
    ignoreChanges = [desiredCount]
  }
}

output url {
  value = "http://${balancer.dnsName}/"
}

output subnetIds {
  value = subnets.ids
}
