// A container behind a load balancer: ECS on Fargate, in the default network of the account.

package main

import (
	"errors"

	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/cloudwatch"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/ec2"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/ecs"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/iam"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/lb"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/ssm"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		// The image of the container.
		image, err := cfg.Try("image")
		if err != nil {
			image = "nginx:1.27"
		}

		// The port on which the container listens.
		port, err := cfg.TryInt("port")
		if errors.Is(err, config.ErrMissingVar) {
			port = 80
		} else if err != nil {
			return err
		}

		// How many containers run.
		replicas, err := cfg.TryInt("replicas")
		if errors.Is(err, config.ErrMissingVar) {
			replicas = 2
		} else if err != nil {
			return err
		}

		// The key with which the service calls others.
		apiKey := cfg.RequireSecret("apiKey")

		region := aws.GetRegionOutput(ctx, aws.GetRegionOutputArgs{})
		network := ec2.LookupVpcOutput(ctx, ec2.LookupVpcOutputArgs{Default: pulumi.Bool(true)})
		subnets := ec2.GetSubnetsOutput(ctx, ec2.GetSubnetsOutputArgs{
			Filters: ec2.GetSubnetsFilterArray{
				ec2.GetSubnetsFilterArgs{
					Name:   pulumi.String("vpc-id"),
					Values: pulumi.StringArray{network.Id()},
				},
			},
		})

		balancerAccess, err := ec2.NewSecurityGroup(ctx, "balancerAccess", &ec2.SecurityGroupArgs{
			VpcId:       network.Id(),
			Description: pulumi.String("The load balancer"),
			Ingress: ec2.SecurityGroupIngressArray{
				ec2.SecurityGroupIngressArgs{
					Description: pulumi.String("Everybody"),
					Protocol:    pulumi.String("tcp"),
					FromPort:    pulumi.Int(80),
					ToPort:      pulumi.Int(80),
					CidrBlocks:  pulumi.StringArray{pulumi.String("0.0.0.0/0")},
				},
			},
			Egress: ec2.SecurityGroupEgressArray{
				ec2.SecurityGroupEgressArgs{
					Protocol:   pulumi.String("-1"),
					FromPort:   pulumi.Int(0),
					ToPort:     pulumi.Int(0),
					CidrBlocks: pulumi.StringArray{pulumi.String("0.0.0.0/0")},
				},
			},
		})
		if err != nil {
			return err
		}

		serviceAccess, err := ec2.NewSecurityGroup(ctx, "serviceAccess", &ec2.SecurityGroupArgs{
			VpcId:       network.Id(),
			Description: pulumi.String("The containers, which only the load balancer reaches"),
			Ingress: ec2.SecurityGroupIngressArray{
				ec2.SecurityGroupIngressArgs{
					Protocol:       pulumi.String("tcp"),
					FromPort:       pulumi.Int(port),
					ToPort:         pulumi.Int(port),
					SecurityGroups: pulumi.StringArray{balancerAccess.ID()},
				},
			},
			Egress: ec2.SecurityGroupEgressArray{
				ec2.SecurityGroupEgressArgs{
					Protocol:   pulumi.String("-1"),
					FromPort:   pulumi.Int(0),
					ToPort:     pulumi.Int(0),
					CidrBlocks: pulumi.StringArray{pulumi.String("0.0.0.0/0")},
				},
			},
		})
		if err != nil {
			return err
		}

		balancer, err := lb.NewLoadBalancer(ctx, "balancer", &lb.LoadBalancerArgs{
			LoadBalancerType: pulumi.String("application"),
			IpAddressType:    pulumi.String("ipv4"),
			SecurityGroups:   pulumi.StringArray{balancerAccess.ID()},
			Subnets:          subnets.Ids(),
		})
		if err != nil {
			return err
		}

		group, err := lb.NewTargetGroup(ctx, "group", &lb.TargetGroupArgs{
			Port:       pulumi.Int(port),
			Protocol:   pulumi.String("HTTP"),
			TargetType: pulumi.String("ip"),
			VpcId:      network.Id(),
			HealthCheck: &lb.TargetGroupHealthCheckArgs{
				Path:             pulumi.String("/"),
				Matcher:          pulumi.String("200-399"),
				Interval:         pulumi.Int(15),
				HealthyThreshold: pulumi.Int(2),
			},
		})
		if err != nil {
			return err
		}

		listener, err := lb.NewListener(ctx, "listener", &lb.ListenerArgs{
			LoadBalancerArn: balancer.Arn,
			Port:            pulumi.Int(80),
			Protocol:        pulumi.String("HTTP"),
			DefaultActions: lb.ListenerDefaultActionArray{
				lb.ListenerDefaultActionArgs{
					Type:           pulumi.String("forward"),
					TargetGroupArn: group.Arn,
				},
			},
		})
		if err != nil {
			return err
		}

		cluster, err := ecs.NewCluster(ctx, "cluster", &ecs.ClusterArgs{
			Settings: ecs.ClusterSettingArray{
				ecs.ClusterSettingArgs{
					Name:  pulumi.String("containerInsights"),
					Value: pulumi.String("enabled"),
				},
			},
		})
		if err != nil {
			return err
		}

		logs, err := cloudwatch.NewLogGroup(ctx, "logs", &cloudwatch.LogGroupArgs{
			RetentionInDays: pulumi.Int(30),
		})
		if err != nil {
			return err
		}

		key, err := ssm.NewParameter(ctx, "key", &ssm.ParameterArgs{
			Name:  pulumi.Sprintf("/%s/%s/api-key", ctx.Project(), ctx.Stack()),
			Type:  pulumi.String("SecureString"),
			Value: apiKey,
		})
		if err != nil {
			return err
		}

		trust := iam.GetPolicyDocumentOutput(ctx, iam.GetPolicyDocumentOutputArgs{
			Statements: iam.GetPolicyDocumentStatementArray{
				iam.GetPolicyDocumentStatementArgs{
					Actions: pulumi.StringArray{pulumi.String("sts:AssumeRole")},
					Principals: iam.GetPolicyDocumentStatementPrincipalArray{
						iam.GetPolicyDocumentStatementPrincipalArgs{
							Type: pulumi.String("Service"),
							Identifiers: pulumi.StringArray{
								pulumi.String("ecs-tasks.amazonaws.com"),
							},
						},
					},
				},
			},
		})

		executionRole, err := iam.NewRole(ctx, "executionRole", &iam.RoleArgs{
			AssumeRolePolicy: trust.Json(),
		})
		if err != nil {
			return err
		}

		_, err = iam.NewRolePolicyAttachment(ctx, "execution", &iam.RolePolicyAttachmentArgs{
			Role:      executionRole.Name,
			PolicyArn: pulumi.String("arn:aws:iam::aws:policy/service-role/AmazonECSTaskExecutionRolePolicy"),
		})
		if err != nil {
			return err
		}

		_, err = iam.NewRolePolicy(ctx, "readKey", &iam.RolePolicyArgs{
			Role: executionRole.ID(),
			Policy: pulumi.JSONMarshal(map[string]any{
				"Version": "2012-10-17",
				"Statement": []any{
					map[string]any{
						"Effect":   "Allow",
						"Action":   "ssm:GetParameters",
						"Resource": key.Arn,
					},
				},
			}),
		})
		if err != nil {
			return err
		}

		task, err := ecs.NewTaskDefinition(ctx, "task", &ecs.TaskDefinitionArgs{
			Family:                  pulumi.Sprintf("%s-%s", ctx.Project(), ctx.Stack()),
			Cpu:                     pulumi.String("256"),
			Memory:                  pulumi.String("512"),
			NetworkMode:             pulumi.String("awsvpc"),
			RequiresCompatibilities: pulumi.StringArray{pulumi.String("FARGATE")},
			ExecutionRoleArn:        executionRole.Arn,
			ContainerDefinitions: pulumi.JSONMarshal([]any{
				map[string]any{
					"name":      "web",
					"image":     image,
					"essential": true,
					"portMappings": []any{
						map[string]any{
							"containerPort": port,
							"protocol":      "tcp",
						},
					},
					"secrets": []any{
						map[string]any{
							"name":      "API_KEY",
							"valueFrom": key.Arn,
						},
					},
					"logConfiguration": map[string]any{
						"logDriver": "awslogs",
						"options": map[string]any{
							"awslogs-group":         logs.Name,
							"awslogs-region":        region.Region(),
							"awslogs-stream-prefix": "web",
						},
					},
				},
			}),
		})
		if err != nil {
			return err
		}

		_, err = ecs.NewService(ctx, "service", &ecs.ServiceArgs{
			Cluster:        cluster.Arn,
			TaskDefinition: task.Arn,
			LaunchType:     pulumi.String("FARGATE"),
			DesiredCount:   pulumi.Int(replicas),
			NetworkConfiguration: &ecs.ServiceNetworkConfigurationArgs{
				AssignPublicIp: pulumi.Bool(true),
				Subnets:        subnets.Ids(),
				SecurityGroups: pulumi.StringArray{serviceAccess.ID()},
			},
			LoadBalancers: ecs.ServiceLoadBalancerArray{
				ecs.ServiceLoadBalancerArgs{
					TargetGroupArn: group.Arn,
					ContainerName:  pulumi.String("web"),
					ContainerPort:  pulumi.Int(port),
				},
			},
			DeploymentCircuitBreaker: &ecs.ServiceDeploymentCircuitBreakerArgs{
				Enable:   pulumi.Bool(true),
				Rollback: pulumi.Bool(true),
			},
		}, pulumi.DependsOn([]pulumi.Resource{listener}), pulumi.IgnoreChanges([]string{"desiredCount"}))
		if err != nil {
			return err
		}

		ctx.Export("url", pulumi.Sprintf("http://%s/", balancer.DnsName))
		ctx.Export("subnetIds", subnets.Ids())
		return nil
	})
}
