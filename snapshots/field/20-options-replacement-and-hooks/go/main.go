package main

import (
	"os/exec"

	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-github/sdk/v6/go/github"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		release, err := cfg.Try("release")
		if err != nil {
			release = "v1"
		}

		announce, err := ctx.RegisterResourceHook("announce", func(args *pulumi.ResourceHookArgs) error {
			return exec.Command("sh", "-c", "echo created "+release).Run()
		}, nil)
		if err != nil {
			return err
		}

		cleanup, err := ctx.RegisterResourceHook("cleanup", func(args *pulumi.ResourceHookArgs) error {
			return exec.Command("rm", "-rf", "/tmp/build").Run()
		}, &pulumi.ResourceHookOptions{
			OnDryRun:     false,
			IgnoreErrors: true,
		})
		if err != nil {
			return err
		}

		prov, err := github.NewProvider(ctx, "prov", &github.ProviderArgs{
			Owner: pulumi.String("acme"),
		}, pulumi.EnvVarMappings(map[string]string{"ACME_GITHUB_TOKEN": "GITHUB_TOKEN"}))
		if err != nil {
			return err
		}

		repo, err := github.NewRepository(ctx, "repo", &github.RepositoryArgs{
			Name: pulumi.String("shop"),
		}, pulumi.Provider(prov), pulumi.HideDiffs([]string{"etag"}), pulumi.ResourceHooks(&pulumi.ResourceHookBinding{
			AfterCreate:  []*pulumi.ResourceHook{announce},
			BeforeDelete: []*pulumi.ResourceHook{cleanup},
		}))
		if err != nil {
			return err
		}

		build, err := local.NewCommand(ctx, "build", &local.CommandArgs{
			Create: pulumi.String("make release VERSION=" + release),
		}, pulumi.ReplacementTrigger(pulumi.String(release)), pulumi.ReplaceWith([]pulumi.Resource{repo}))
		if err != nil {
			return err
		}

		deploy, err := local.NewCommand(ctx, "deploy", &local.CommandArgs{
			Create: pulumi.String("make deploy"),
		}, pulumi.ReplacementTrigger(build.Stdout), pulumi.DependsOn([]pulumi.Resource{build}))
		if err != nil {
			return err
		}

		ctx.Export("result", deploy.Stdout)
		return nil
	})
}
