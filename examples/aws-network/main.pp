// Two networks of the same kind, and the peering between them.

config regionName string {
  description = "The region of both networks."
  default     = "eu-central-1"
}

config zones "list(string)" {
  description = "The availability zones that each network spans, by their last letters."
  default     = ["a", "b"]
}

zoneNames = [for zone in zones : "${regionName}${zone}"]

resource regional "pulumi:providers:aws" {
  region = regionName
  defaultTags = {
    tags = {
      Project = project()
      Stack   = stack()
    }
  }
}

storage = invoke("aws:ec2/getVpcEndpointService:getVpcEndpointService", {
  service     = "s3"
  serviceType = "Gateway"
}, {
  provider = regional
})

component applications "./network" {
  label          = "applications"
  addresses      = "10.0.0.0/16"
  zoneNames      = zoneNames
  publicSubnets  = ["10.0.0.0/24", "10.0.1.0/24", "10.0.2.0/24"]
  privateSubnets = ["10.0.10.0/24", "10.0.11.0/24", "10.0.12.0/24"]

  options {
    providers = [regional]
  }
}

component data "./network" {
  label          = "data"
  addresses      = "10.1.0.0/16"
  zoneNames      = zoneNames
  privateSubnets = ["10.1.10.0/24", "10.1.11.0/24", "10.1.12.0/24"]

  options {
    providers = [regional]
  }
}

resource peering "aws:ec2:VpcPeeringConnection" {
  vpcId      = applications.vpcId
  peerVpcId  = data.vpcId
  autoAccept = true
  requester = {
    allowRemoteVpcDnsResolution = true
  }

  options {
    provider = regional
  }
}

# The machines of both networks reach the storage without leaving them.
resource storageAccess "aws:ec2:VpcEndpoint" {
  vpcId           = range.value
  serviceName     = storage.serviceName
  vpcEndpointType = "Gateway"

  options {
    range    = { applications = applications.vpcId, data = data.vpcId }
    provider = regional
  }
}

output networks {
  value = {
    applications = applications.vpcId
    data         = data.vpcId
  }
}

output privateSubnets {
  value = data.privateSubnetIds
}
