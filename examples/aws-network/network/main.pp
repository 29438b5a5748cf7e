config label string {
  description = "What the network is called."
}

config addresses string {
  description = "The addresses of the network, in CIDR notation."
}

config zoneNames "list(string)" {
  description = "The availability zones to use, one for each subnet."
}

config publicSubnets "list(string)" {
  description = "Addresses of the subnets that the internet reaches."
  default     = []
}

config privateSubnets "list(string)" {
  description = "Addresses of the subnets that only the network reaches."
}

resource vpc "aws:ec2:Vpc" {
  cidrBlock          = addresses
  instanceTenancy    = "default"
  enableDnsHostnames = true
  tags = {
    Name = label
  }
}

resource public "aws:ec2:Subnet" {
  vpcId               = vpc.id
  cidrBlock           = publicSubnets[range.value]
  availabilityZone    = zoneNames[range.value]
  mapPublicIpOnLaunch = true
  tags = {
    Name = "${label}-public-${range.value}"
  }

  options {
    range = length(publicSubnets) > 0 ? length(zoneNames) : 0
  }
}

resource private "aws:ec2:Subnet" {
  vpcId            = vpc.id
  cidrBlock        = privateSubnets[range.key]
  availabilityZone = range.value
  tags = {
    Name = "${label}-private-${range.key}"
  }

  options {
    range = zoneNames
  }
}

resource gateway "aws:ec2:InternetGateway" {
  vpcId = vpc.id

  options {
    range = length(publicSubnets) > 0
  }
}

# Who is outside may come in, and everybody may answer.
resource web "aws:ec2:SecurityGroup" {
  vpcId       = vpc.id
  description = "Web servers of ${label}"

  ingress = [
    for port in [80, 443] : {
      protocol   = "tcp"
      fromPort   = port
      toPort     = port
      cidrBlocks = ["0.0.0.0/0"]
    }
  ]

  egress = [
    {
      protocol   = "-1"
      fromPort   = 0
      toPort     = 0
      cidrBlocks = ["0.0.0.0/0"]
    },
  ]
}

output vpcId {
  value = vpc.id
}

output publicSubnetIds {
  value = [for subnet in public : subnet.id]
}

output privateSubnetIds {
  value = [for subnet in private : subnet.id]
}
