package main

import (
	"fmt"
	"strconv"

	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-github/sdk/v6/go/github"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	"github.com/rivo/uniseg"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		if err := ctx.RequirePulumiVersion(">=3.150.0"); err != nil {
			return err
		}

		cfg := config.New(ctx, "")

		licenseKey := cfg.RequireSecret("licenseKey")

		fullName := fmt.Sprintf("%s/%s/%s", ctx.Organization(), ctx.Project(), ctx.Stack())
		isProd := ctx.Stack() == "prod"

		length := 20
		if isProd {
			length = 40
		}
		password, err := random.NewRandomPassword(ctx, "password", &random.RandomPasswordArgs{
			Length: pulumi.Int(length),
		})
		if err != nil {
			return err
		}

		env, err := github.NewRepositoryEnvironment(ctx, "env", &github.RepositoryEnvironmentArgs{
			Repository:  pulumi.String(ctx.Project()),
			Environment: pulumi.String(ctx.Stack()),
		})
		if err != nil {
			return err
		}

		_, err = github.NewActionsVariable(ctx, "variable", &github.ActionsVariableArgs{
			Repository:   env.Repository,
			VariableName: pulumi.String("PULUMI_STACK"),
			Value:        pulumi.String(fullName),
		})
		if err != nil {
			return err
		}

		_, err = github.NewActionsEnvironmentSecret(ctx, "licence", &github.ActionsEnvironmentSecretArgs{
			Repository:  env.Repository,
			Environment: env.Environment,
			SecretName:  pulumi.String("LICENSE"),
			Value:       licenseKey,
		})
		if err != nil {
			return err
		}

		_, err = local.NewCommand(ctx, "wrapped", &local.CommandArgs{
			Create: pulumi.String("deploy"),
			Stdin:  pulumi.ToSecret(pulumi.Sprintf("token-%s", password.Result)).(pulumi.StringOutput),
			Environment: pulumi.StringMap{
				"STACK":  pulumi.String(ctx.Stack()),
				"SECRET": pulumi.ToSecret("plain").(pulumi.StringOutput),
				"LENGTH": pulumi.Unsecret(password.Length).(pulumi.IntOutput).ApplyT(strconv.Itoa).(pulumi.StringOutput),
			},
		})
		if err != nil {
			return err
		}

		ctx.Export("open", pulumi.Unsecret(password.Result))
		ctx.Export("closed", pulumi.ToSecret(pulumi.StringMap{
			"user": pulumi.String("admin"),
			"pass": password.Result,
		}))
		ctx.Export(
			"identity",
			pulumi.Sprintf(
				"%s is a %s",
				password.PulumiResourceName(),
				password.PulumiResourceType(),
			),
		)
		ctx.Export("licenseLength", licenseKey.ApplyT(func(value string) int {
			return uniseg.GraphemeClusterCount(value)
		}))
		return nil
	})
}
