// A PostgreSQL database that nobody reaches from outside, its password in a vault, mail when something is wrong, and a
// machine to log in through.

import * as pulumi from "@pulumi/pulumi";
import * as aws from "@pulumi/aws";

const config = new pulumi.Config();

// The name of the database's administrator.
const user = config.get("user") ?? "admin_user";

// The administrator's password.
const password = config.requireSecret("password");

// Two private subnets or more, in different zones.
const subnetIds = config.requireObject<string[]>("subnetIds");

// The network of the subnets.
const vpcId = config.require("vpcId");

// Who gets mail when something is wrong; nobody when it is empty.
const alarmAddress = config.get("alarmAddress") ?? "";

const production = pulumi.getStack() === "prod";

const key = new aws.kms.Key("key", {
    description: `Encrypts the database of ${pulumi.getStack()}`,
    enableKeyRotation: true,
    deletionWindowInDays: 10,
});

const subnets = new aws.rds.SubnetGroup("subnets", { subnetIds });

const parameters = new aws.rds.ParameterGroup("parameters", {
    family: "postgres16",
    parameters: [
        {
            name: "rds.force_ssl",
            value: "1",
            applyMethod: "pending-reboot",
        },
        { name: "log_min_duration_statement", value: "500" },
    ],
});

const loginAccess = new aws.ec2.SecurityGroup("loginAccess", { vpcId });

const databaseAccess = new aws.ec2.SecurityGroup("databaseAccess", {
    vpcId,
    ingress: [
        {
            protocol: "tcp",
            fromPort: 5432,
            toPort: 5432,
            securityGroups: [loginAccess.id],
        },
    ],
});

const database = new aws.rds.Instance(
    "database",
    {
        identifier: `${pulumi.getProject()}-${pulumi.getStack()}`,
        engine: "postgres",
        engineVersion: "16.4",
        instanceClass: production ? "db.r6g.large" : "db.t4g.micro",
        storageType: "gp3",
        allocatedStorage: 20,
        maxAllocatedStorage: 200,
        storageEncrypted: true,
        kmsKeyId: key.arn,
        username: user,
        password,
        dbSubnetGroupName: subnets.name,
        parameterGroupName: parameters.name,
        vpcSecurityGroupIds: [databaseAccess.id],
        multiAz: production,
        backupRetentionPeriod: production ? 30 : 1,
        skipFinalSnapshot: !production,
        deletionProtection: production,
    },
    {
        protect: true,
        ignoreChanges: ["engineVersion"],
    },
);

const vault = new aws.secretsmanager.Secret("vault", { kmsKeyId: key.arn });

const connection = new aws.secretsmanager.SecretVersion("connection", {
    secretId: vault.id,
    secretString: pulumi.jsonStringify({
        host: database.address,
        port: database.port,
        username: user,
        password,
    }),
});

// The newest Debian of its publisher.
const image = aws.ec2.getAmiOutput({
    mostRecent: true,
    owners: ["136693071363"],
    filters: [
        { name: "name", values: ["debian-12-arm64-*"] },
        { name: "virtualization-type", values: ["hvm"] },
    ],
});

const login = new aws.ec2.Instance("login", {
    ami: image.id,
    instanceType: "t4g.nano",
    subnetId: subnetIds[0],
    vpcSecurityGroupIds: [loginAccess.id],
    metadataOptions: { httpTokens: "required" },
    rootBlockDevice: {
        encrypted: true,
        volumeSize: 8,
    },
    userData: pulumi.interpolate`#!/bin/sh
apt-get install --yes postgresql-client
echo ${database.endpoint} > /etc/motd
`,
});

const topic = new aws.sns.Topic("topic", { kmsMasterKeyId: key.id });

const mail =
    alarmAddress !== ""
        ? new aws.sns.TopicSubscription("mail", {
              topic: topic.arn,
              protocol: "email",
              endpoint: alarmAddress,
          })
        : undefined;

const trouble = new aws.rds.EventSubscription("trouble", {
    snsTopic: topic.arn,
    sourceType: "db-instance",
    sourceIds: [database.identifier],
    eventCategories: ["low storage", "failure", "maintenance"],
});

export const endpoint = database.endpoint;
export const secretArn = vault.arn;
export const imageName = image.name;
