// A PostgreSQL database that nobody reaches from outside, its password in a vault, mail when something is wrong, and a
// machine to log in through.

package main

import (
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/ec2"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/kms"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/rds"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/secretsmanager"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/sns"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		// The name of the database's administrator.
		user, err := cfg.Try("user")
		if err != nil {
			user = "admin_user"
		}

		// The administrator's password.
		password := cfg.RequireSecret("password")

		// Two private subnets or more, in different zones.
		var subnetIds []string
		cfg.RequireObject("subnetIds", &subnetIds)

		// The network of the subnets.
		vpcId := cfg.Require("vpcId")

		// Who gets mail when something is wrong; nobody when it is empty.
		alarmAddress := cfg.Get("alarmAddress")

		production := ctx.Stack() == "prod"

		key, err := kms.NewKey(ctx, "key", &kms.KeyArgs{
			Description:          pulumi.String("Encrypts the database of " + ctx.Stack()),
			EnableKeyRotation:    pulumi.Bool(true),
			DeletionWindowInDays: pulumi.Int(10),
		})
		if err != nil {
			return err
		}

		subnets, err := rds.NewSubnetGroup(ctx, "subnets", &rds.SubnetGroupArgs{
			SubnetIds: pulumi.ToStringArray(subnetIds),
		})
		if err != nil {
			return err
		}

		parameters, err := rds.NewParameterGroup(ctx, "parameters", &rds.ParameterGroupArgs{
			Family: pulumi.String("postgres16"),
			Parameters: rds.ParameterGroupParameterArray{
				rds.ParameterGroupParameterArgs{
					Name:        pulumi.String("rds.force_ssl"),
					Value:       pulumi.String("1"),
					ApplyMethod: pulumi.String("pending-reboot"),
				},
				rds.ParameterGroupParameterArgs{
					Name:  pulumi.String("log_min_duration_statement"),
					Value: pulumi.String("500"),
				},
			},
		})
		if err != nil {
			return err
		}

		loginAccess, err := ec2.NewSecurityGroup(ctx, "loginAccess", &ec2.SecurityGroupArgs{
			VpcId: pulumi.String(vpcId),
		})
		if err != nil {
			return err
		}

		databaseAccess, err := ec2.NewSecurityGroup(ctx, "databaseAccess", &ec2.SecurityGroupArgs{
			VpcId: pulumi.String(vpcId),
			Ingress: ec2.SecurityGroupIngressArray{
				ec2.SecurityGroupIngressArgs{
					Protocol:       pulumi.String("tcp"),
					FromPort:       pulumi.Int(5432),
					ToPort:         pulumi.Int(5432),
					SecurityGroups: pulumi.StringArray{loginAccess.ID()},
				},
			},
		})
		if err != nil {
			return err
		}

		instanceClass := "db.t4g.micro"
		if production {
			instanceClass = "db.r6g.large"
		}
		backupRetentionPeriod := 1
		if production {
			backupRetentionPeriod = 30
		}
		database, err := rds.NewInstance(ctx, "database", &rds.InstanceArgs{
			Identifier:            pulumi.Sprintf("%s-%s", ctx.Project(), ctx.Stack()),
			Engine:                pulumi.String("postgres"),
			EngineVersion:         pulumi.String("16.4"),
			InstanceClass:         pulumi.String(instanceClass),
			StorageType:           pulumi.String("gp3"),
			AllocatedStorage:      pulumi.Int(20),
			MaxAllocatedStorage:   pulumi.Int(200),
			StorageEncrypted:      pulumi.Bool(true),
			KmsKeyId:              key.Arn,
			Username:              pulumi.String(user),
			Password:              password,
			DbSubnetGroupName:     subnets.Name,
			ParameterGroupName:    parameters.Name,
			VpcSecurityGroupIds:   pulumi.StringArray{databaseAccess.ID()},
			MultiAz:               pulumi.Bool(production),
			BackupRetentionPeriod: pulumi.Int(backupRetentionPeriod),
			SkipFinalSnapshot:     pulumi.Bool(!production),
			DeletionProtection:    pulumi.Bool(production),
		}, pulumi.Protect(true), pulumi.IgnoreChanges([]string{"engineVersion"}))
		if err != nil {
			return err
		}

		vault, err := secretsmanager.NewSecret(ctx, "vault", &secretsmanager.SecretArgs{
			KmsKeyId: key.Arn,
		})
		if err != nil {
			return err
		}

		_, err = secretsmanager.NewSecretVersion(ctx, "connection", &secretsmanager.SecretVersionArgs{
			SecretId: vault.ID(),
			SecretString: pulumi.JSONMarshal(map[string]any{
				"host":     database.Address,
				"port":     database.Port,
				"username": user,
				"password": password,
			}),
		})
		if err != nil {
			return err
		}

		// The newest Debian of its publisher.
		image := ec2.LookupAmiOutput(ctx, ec2.LookupAmiOutputArgs{
			MostRecent: pulumi.Bool(true),
			Owners:     pulumi.StringArray{pulumi.String("136693071363")},
			Filters: ec2.GetAmiFilterArray{
				ec2.GetAmiFilterArgs{
					Name:   pulumi.String("name"),
					Values: pulumi.StringArray{pulumi.String("debian-12-arm64-*")},
				},
				ec2.GetAmiFilterArgs{
					Name:   pulumi.String("virtualization-type"),
					Values: pulumi.StringArray{pulumi.String("hvm")},
				},
			},
		})

		_, err = ec2.NewInstance(ctx, "login", &ec2.InstanceArgs{
			Ami:                 image.Id(),
			InstanceType:        pulumi.String("t4g.nano"),
			SubnetId:            pulumi.String(subnetIds[0]),
			VpcSecurityGroupIds: pulumi.StringArray{loginAccess.ID()},
			MetadataOptions:     &ec2.InstanceMetadataOptionsArgs{HttpTokens: pulumi.String("required")},
			RootBlockDevice: &ec2.InstanceRootBlockDeviceArgs{
				Encrypted:  pulumi.Bool(true),
				VolumeSize: pulumi.Int(8),
			},
			UserData: pulumi.Sprintf(`#!/bin/sh
apt-get install --yes postgresql-client
echo %s > /etc/motd
`, database.Endpoint),
		})
		if err != nil {
			return err
		}

		topic, err := sns.NewTopic(ctx, "topic", &sns.TopicArgs{
			KmsMasterKeyId: key.ID(),
		})
		if err != nil {
			return err
		}

		if alarmAddress != "" {
			_, err = sns.NewTopicSubscription(ctx, "mail", &sns.TopicSubscriptionArgs{
				Topic:    topic.Arn,
				Protocol: pulumi.String("email"),
				Endpoint: pulumi.String(alarmAddress),
			})
			if err != nil {
				return err
			}
		}

		_, err = rds.NewEventSubscription(ctx, "trouble", &rds.EventSubscriptionArgs{
			SnsTopic:   topic.Arn,
			SourceType: pulumi.String("db-instance"),
			SourceIds:  pulumi.StringArray{database.Identifier},
			EventCategories: pulumi.StringArray{
				pulumi.String("low storage"),
				pulumi.String("failure"),
				pulumi.String("maintenance"),
			},
		})
		if err != nil {
			return err
		}

		ctx.Export("endpoint", database.Endpoint)
		ctx.Export("secretArn", vault.Arn)
		ctx.Export("imageName", image.Name())
		return nil
	})
}
