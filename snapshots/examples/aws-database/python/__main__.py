# A PostgreSQL database that nobody reaches from outside, its password in a vault, mail when something is wrong, and a
# machine to log in through.

import pulumi
import pulumi_aws as aws

config = pulumi.Config()

# The name of the database's administrator.
user = config.get("user", "admin_user")

# The administrator's password.
password = config.require_secret("password")

# Two private subnets or more, in different zones.
subnet_ids = config.require_object("subnetIds")

# The network of the subnets.
vpc_id = config.require("vpcId")

# Who gets mail when something is wrong; nobody when it is empty.
alarm_address = config.get("alarmAddress", "")

production = pulumi.get_stack() == "prod"

key = aws.kms.Key(
    "key",
    description=f"Encrypts the database of {pulumi.get_stack()}",
    enable_key_rotation=True,
    deletion_window_in_days=10,
)

subnets = aws.rds.SubnetGroup("subnets", subnet_ids=subnet_ids)

parameters = aws.rds.ParameterGroup(
    "parameters",
    family="postgres16",
    parameters=[
        {"name": "rds.force_ssl", "value": "1", "apply_method": "pending-reboot"},
        {"name": "log_min_duration_statement", "value": "500"},
    ],
)

login_access = aws.ec2.SecurityGroup("loginAccess", vpc_id=vpc_id)

database_access = aws.ec2.SecurityGroup(
    "databaseAccess",
    vpc_id=vpc_id,
    ingress=[
        {
            "protocol": "tcp",
            "from_port": 5432,
            "to_port": 5432,
            "security_groups": [login_access.id],
        }
    ],
)

database = aws.rds.Instance(
    "database",
    identifier=f"{pulumi.get_project()}-{pulumi.get_stack()}",
    engine="postgres",
    engine_version="16.4",
    instance_class=(
        aws.rds.InstanceType.R6_G_LARGE
        if production
        else aws.rds.InstanceType.T4_G_MICRO
    ),
    storage_type=aws.rds.StorageType.GP3,
    allocated_storage=20,
    max_allocated_storage=200,
    storage_encrypted=True,
    kms_key_id=key.arn,
    username=user,
    password=password,
    db_subnet_group_name=subnets.name,
    parameter_group_name=parameters.name,
    vpc_security_group_ids=[database_access.id],
    multi_az=production,
    backup_retention_period=30 if production else 1,
    skip_final_snapshot=not production,
    deletion_protection=production,
    opts=pulumi.ResourceOptions(protect=True, ignore_changes=["engineVersion"]),
)

vault = aws.secretsmanager.Secret("vault", kms_key_id=key.arn)

connection = aws.secretsmanager.SecretVersion(
    "connection",
    secret_id=vault.id,
    secret_string=pulumi.Output.json_dumps(
        {
            "host": database.address,
            "port": database.port,
            "username": user,
            "password": password,
        }
    ),
)

# The newest Debian of its publisher.
image = aws.ec2.get_ami_output(
    most_recent=True,
    owners=["136693071363"],
    filters=[
        {"name": "name", "values": ["debian-12-arm64-*"]},
        {"name": "virtualization-type", "values": ["hvm"]},
    ],
)

login = aws.ec2.Instance(
    "login",
    ami=image.id,
    instance_type=aws.ec2.InstanceType.T4G_NANO,
    subnet_id=subnet_ids[0],
    vpc_security_group_ids=[login_access.id],
    metadata_options={"http_tokens": "required"},
    root_block_device={"encrypted": True, "volume_size": 8},
    user_data=pulumi.Output.format(
        """\
#!/bin/sh
apt-get install --yes postgresql-client
echo {0} > /etc/motd
""",
        database.endpoint,
    ),
)

topic = aws.sns.Topic("topic", kms_master_key_id=key.id)

mail = (
    aws.sns.TopicSubscription(
        "mail", topic=topic.arn, protocol="email", endpoint=alarm_address
    )
    if alarm_address != ""
    else None
)

trouble = aws.rds.EventSubscription(
    "trouble",
    sns_topic=topic.arn,
    source_type="db-instance",
    source_ids=[database.identifier],
    event_categories=["low storage", "failure", "maintenance"],
)

pulumi.export("endpoint", database.endpoint)
pulumi.export("secretArn", vault.arn)
pulumi.export("imageName", image.name)
