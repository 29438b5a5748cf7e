// A PostgreSQL database that nobody reaches from outside, its password in a vault, mail when something is wrong, and a
// machine to log in through.

config user string {
  description = "The name of the database's administrator."
  default     = "admin_user"
}

config password string {
  description = "The administrator's password."
  secret      = true
}

config subnetIds "list(string)" {
  description = "Two private subnets or more, in different zones."
}

config vpcId string {
  description = "The network of the subnets."
}

config alarmAddress string {
  description = "Who gets mail when something is wrong; nobody when it is empty."
  default     = ""
}

production = stack() == "prod"

resource key "aws:kms:Key" {
  description          = "Encrypts the database of ${stack()}"
  enableKeyRotation    = true
  deletionWindowInDays = 10
}

resource subnets "aws:rds:SubnetGroup" {
  subnetIds = subnetIds
}

resource parameters "aws:rds:ParameterGroup" {
  family = "postgres16"
  parameters = [
    {
      name        = "rds.force_ssl"
      value       = "1"
      applyMethod = "pending-reboot"
    },
    { name = "log_min_duration_statement", value = "500" },
  ]
}

resource loginAccess "aws:ec2:SecurityGroup" {
  vpcId = vpcId
}

resource databaseAccess "aws:ec2:SecurityGroup" {
  vpcId = vpcId
  ingress = [
    {
      protocol       = "tcp"
      fromPort       = 5432
      toPort         = 5432
      securityGroups = [loginAccess.id]
    },
  ]
}

resource database "aws:rds:Instance" {
  identifier            = "${project()}-${stack()}"
  engine                = "postgres"
  engineVersion         = "16.4"
  instanceClass         = production ? "db.r6g.large" : "db.t4g.micro"
  storageType           = "gp3"
  allocatedStorage      = 20
  maxAllocatedStorage   = 200
  storageEncrypted      = true
  kmsKeyId              = key.arn
  username              = user
  password              = password
  dbSubnetGroupName     = subnets.name
  parameterGroupName    = parameters.name
  vpcSecurityGroupIds   = [databaseAccess.id]
  multiAz               = production
  backupRetentionPeriod = production ? 30 : 1
  skipFinalSnapshot     = !production
  deletionProtection    = production

  options {
    protect       = true
    ignoreChanges = [engineVersion]
  }
}

resource vault "aws:secretsmanager:Secret" {
  kmsKeyId = key.arn
}

resource connection "aws:secretsmanager:SecretVersion" {
  secretId = vault.id
  secretString = toJSON({
    host     = database.address
    port     = database.port
    username = user
    password = password
  })
}

# The newest Debian of its publisher.
image = invoke("aws:ec2/getAmi:getAmi", {
  mostRecent = true
  owners     = ["136693071363"]
  filters = [
    { name = "name", values = ["debian-12-arm64-*"] },
    { name = "virtualization-type", values = ["hvm"] },
  ]
})

resource login "aws:ec2:Instance" {
  ami                 = image.id
  instanceType        = "t4g.nano"
  subnetId            = subnetIds[0]
  vpcSecurityGroupIds = [loginAccess.id]
  metadataOptions = {
    httpTokens = "required"
  }
  rootBlockDevice = {
    encrypted  = true
    volumeSize = 8
  }
  userData = <<-EOF
    #!/bin/sh
    apt-get install --yes postgresql-client
    echo ${database.endpoint} > /etc/motd
    EOF
}

resource topic "aws:sns:Topic" {
  kmsMasterKeyId = key.id
}

resource mail "aws:sns:TopicSubscription" {
  topic    = topic.arn
  protocol = "email"
  endpoint = alarmAddress

  options {
    range = alarmAddress != ""
  }
}

resource trouble "aws:rds:EventSubscription" {
  snsTopic        = topic.arn
  sourceType      = "db-instance"
  sourceIds       = [database.identifier]
  eventCategories = ["low storage", "failure", "maintenance"]
}

output endpoint {
  value = database.endpoint
}

output secretArn {
  value = vault.arn
}

output imageName {
  value = image.name
}
