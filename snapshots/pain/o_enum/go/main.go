package main

import (
	"errors"

	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		quiet, err := cfg.TryBool("quiet")
		if err != nil && !errors.Is(err, config.ErrMissingVar) {
			return err
		}

		literal, err := local.NewCommand(ctx, "literal", &local.CommandArgs{
			Create:  pulumi.String("true"),
			Logging: local.LoggingStdoutAndStderr,
		})
		if err != nil {
			return err
		}

		var logging local.LoggingPtrInput = local.LoggingStderr
		if quiet {
			logging = local.LoggingNone
		}
		_, err = local.NewCommand(ctx, "chosen", &local.CommandArgs{
			Create:  pulumi.String("true"),
			Logging: logging,
		})
		if err != nil {
			return err
		}

		_, err = local.NewCommand(ctx, "passed", &local.CommandArgs{
			Create:  pulumi.String("true"),
			Logging: literal.Logging,
		})
		if err != nil {
			return err
		}
		return nil
	})
}
