// An HTTP interface without servers: a function, its role, a table, a queue of work and the gateway.

package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/apigatewayv2"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/cloudwatch"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/dynamodb"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/iam"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/lambda"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/sqs"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		// Web sites that may call the interface from a browser.
		var origins []string
		if err := cfg.TryObject("origins", &origins); errors.Is(err, config.ErrMissingVar) {
			origins = []string{"*"}
		} else if err != nil {
			return err
		}

		// How long log lines are kept.
		logDays, err := cfg.TryInt("logDays")
		if errors.Is(err, config.ErrMissingVar) {
			logDays = 14
		} else if err != nil {
			return err
		}

		account := aws.GetCallerIdentityOutput(ctx, aws.GetCallerIdentityOutputArgs{})
		region := aws.GetRegionOutput(ctx, aws.GetRegionOutputArgs{})
		name := fmt.Sprintf("%s-%s", ctx.Project(), ctx.Stack())

		items, err := dynamodb.NewTable(ctx, "items", &dynamodb.TableArgs{
			BillingMode: pulumi.String("PAY_PER_REQUEST"),
			HashKey:     pulumi.String("id"),
			RangeKey:    pulumi.String("created"),
			Attributes: dynamodb.TableAttributeArray{
				dynamodb.TableAttributeArgs{
					Name: pulumi.String("id"),
					Type: pulumi.String("S"),
				},
				dynamodb.TableAttributeArgs{
					Name: pulumi.String("created"),
					Type: pulumi.String("N"),
				},
				dynamodb.TableAttributeArgs{
					Name: pulumi.String("owner"),
					Type: pulumi.String("S"),
				},
			},
			GlobalSecondaryIndexes: dynamodb.TableGlobalSecondaryIndexArray{
				dynamodb.TableGlobalSecondaryIndexArgs{
					Name:           pulumi.String("byOwner"),
					ProjectionType: pulumi.String("ALL"),
					KeySchemas: dynamodb.TableGlobalSecondaryIndexKeySchemaArray{
						dynamodb.TableGlobalSecondaryIndexKeySchemaArgs{
							AttributeName: pulumi.String("owner"),
							KeyType:       pulumi.String("HASH"),
						},
					},
				},
			},
			PointInTimeRecovery: &dynamodb.TablePointInTimeRecoveryArgs{Enabled: pulumi.Bool(true)},
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}

		failed, err := sqs.NewQueue(ctx, "failed", &sqs.QueueArgs{
			MessageRetentionSeconds: pulumi.Int(14 * 24 * 60 * 60),
		})
		if err != nil {
			return err
		}

		work, err := sqs.NewQueue(ctx, "work", &sqs.QueueArgs{
			VisibilityTimeoutSeconds: pulumi.Int(180),
			RedrivePolicy: pulumi.JSONMarshal(map[string]any{
				"deadLetterTargetArn": failed.Arn,
				"maxReceiveCount":     5,
			}),
		})
		if err != nil {
			return err
		}

		assumeRolePolicyJSON, err := json.Marshal(map[string]any{
			"Version": "2012-10-17",
			"Statement": []any{
				map[string]any{
					"Effect":    "Allow",
					"Action":    "sts:AssumeRole",
					"Principal": map[string]any{"Service": "lambda.amazonaws.com"},
				},
			},
		})
		if err != nil {
			return err
		}
		role, err := iam.NewRole(ctx, "role", &iam.RoleArgs{
			AssumeRolePolicy: pulumi.String(string(assumeRolePolicyJSON)),
			InlinePolicies: iam.RoleInlinePolicyArray{
				iam.RoleInlinePolicyArgs{
					Name: pulumi.String("work"),
					Policy: pulumi.JSONMarshal(map[string]any{
						"Version": "2012-10-17",
						"Statement": []any{
							map[string]any{
								"Effect": "Allow",
								"Action": []any{
									"dynamodb:GetItem",
									"dynamodb:PutItem",
									"dynamodb:Query",
								},
								"Resource": []any{
									items.Arn,
									pulumi.Sprintf("%s/index/*", items.Arn),
								},
							},
							map[string]any{
								"Effect": "Allow",
								"Action": []any{
									"sqs:ReceiveMessage",
									"sqs:DeleteMessage",
									"sqs:GetQueueAttributes",
									"sqs:SendMessage",
								},
								"Resource": work.Arn,
							},
						},
					}),
				},
			},
		})
		if err != nil {
			return err
		}

		basics, err := iam.NewRolePolicyAttachment(ctx, "basics", &iam.RolePolicyAttachmentArgs{
			Role:      role.Name,
			PolicyArn: pulumi.String("arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"),
		})
		if err != nil {
			return err
		}

		handler, err := lambda.NewFunction(ctx, "handler", &lambda.FunctionArgs{
			Name:          pulumi.String(name),
			Description:   pulumi.String("Answers requests and works through the queue"),
			Role:          role.Arn,
			Runtime:       pulumi.String("python3.12"),
			Handler:       pulumi.String("main.handle"),
			Timeout:       pulumi.Int(30),
			MemorySize:    pulumi.Int(256),
			Architectures: pulumi.StringArray{pulumi.String("arm64")},
			Code: pulumi.NewAssetArchive(map[string]any{
				"main.py": pulumi.NewStringAsset("def handle(event, context):\n    return {'statusCode': 204}\n"),
			}),
			Environment: &lambda.FunctionEnvironmentArgs{
				Variables: pulumi.StringMap{
					"TABLE": items.Name,
					"QUEUE": work.Url,
				},
			},
			TracingConfig: &lambda.FunctionTracingConfigArgs{Mode: pulumi.String("Active")},
		}, pulumi.DependsOn([]pulumi.Resource{basics}))
		if err != nil {
			return err
		}

		logs, err := cloudwatch.NewLogGroup(ctx, "logs", &cloudwatch.LogGroupArgs{
			Name:            pulumi.Sprintf("/aws/lambda/%s", handler.Name),
			RetentionInDays: pulumi.Int(logDays),
		})
		if err != nil {
			return err
		}

		_, err = lambda.NewEventSourceMapping(ctx, "worker", &lambda.EventSourceMappingArgs{
			EventSourceArn: work.Arn,
			FunctionName:   handler.Arn,
			BatchSize:      pulumi.Int(10),
			ScalingConfig: &lambda.EventSourceMappingScalingConfigArgs{
				MaximumConcurrency: pulumi.Int(5),
			},
		})
		if err != nil {
			return err
		}

		api, err := apigatewayv2.NewApi(ctx, "api", &apigatewayv2.ApiArgs{
			ProtocolType: pulumi.String("HTTP"),
			CorsConfiguration: &apigatewayv2.ApiCorsConfigurationArgs{
				AllowOrigins: pulumi.ToStringArray(origins),
				AllowMethods: pulumi.StringArray{pulumi.String("GET"), pulumi.String("POST")},
				MaxAge:       pulumi.Int(300),
			},
		})
		if err != nil {
			return err
		}

		integration, err := apigatewayv2.NewIntegration(ctx, "integration", &apigatewayv2.IntegrationArgs{
			ApiId:                api.ID(),
			IntegrationType:      pulumi.String("AWS_PROXY"),
			IntegrationUri:       handler.InvokeArn,
			PayloadFormatVersion: pulumi.String("2.0"),
		})
		if err != nil {
			return err
		}

		items2 := []string{"GET /items/{id}", "POST /items"}
		for i, value := range items2 {
			_, err = apigatewayv2.NewRoute(ctx, fmt.Sprintf("route-%d", i), &apigatewayv2.RouteArgs{
				ApiId:    api.ID(),
				RouteKey: pulumi.String(value),
				Target:   pulumi.Sprintf("integrations/%s", integration.ID()),
			})
			if err != nil {
				return err
			}
		}

		formatJSON, err := json.Marshal(map[string]any{
			"requestId": "$context.requestId",
			"status":    "$context.status",
		})
		if err != nil {
			return err
		}
		stage, err := apigatewayv2.NewStage(ctx, "stage", &apigatewayv2.StageArgs{
			ApiId:      api.ID(),
			Name:       pulumi.String("$default"),
			AutoDeploy: pulumi.Bool(true),
			AccessLogSettings: &apigatewayv2.StageAccessLogSettingsArgs{
				DestinationArn: logs.Arn,
				Format:         pulumi.String(string(formatJSON)),
			},
		})
		if err != nil {
			return err
		}

		_, err = lambda.NewPermission(ctx, "permission", &lambda.PermissionArgs{
			Action:    pulumi.String("lambda:InvokeFunction"),
			Function:  handler.Name,
			Principal: pulumi.String("apigateway.amazonaws.com"),
			SourceArn: pulumi.Sprintf(
				"arn:aws:execute-api:%s:%s:%s/*",
				region.Region(),
				account.AccountId(),
				api.ID(),
			),
		})
		if err != nil {
			return err
		}

		ctx.Export("url", stage.InvokeUrl)
		ctx.Export("queueUrl", work.Url)
		return nil
	})
}
