// A password for a database account. Raise `generation` to have a new one made.

package main

import (
	"errors"
	"strconv"

	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		generation, err := cfg.TryInt("generation")
		if errors.Is(err, config.ErrMissingVar) {
			generation = 1
		} else if err != nil {
			return err
		}

		account, err := random.NewRandomPet(ctx, "account", &random.RandomPetArgs{
			Prefix: pulumi.String("app"),
		})
		if err != nil {
			return err
		}

		password, err := random.NewRandomPassword(ctx, "password", &random.RandomPasswordArgs{
			Length:          pulumi.Int(24),
			OverrideSpecial: pulumi.String("!#%*-_"),
			Keepers:         pulumi.StringMap{"generation": pulumi.String(strconv.Itoa(generation))},
		})
		if err != nil {
			return err
		}

		// psql reads the statement from its standard input, so that the password is in no process list.
		_, err = local.NewCommand(ctx, "grant", &local.CommandArgs{
			Create: pulumi.String("psql --quiet"),
			Delete: pulumi.Sprintf(
				"psql --quiet --command 'DROP ROLE IF EXISTS \"%s\"'",
				account.ID(),
			),
			Stdin: pulumi.Sprintf(
				"CREATE ROLE \"%s\" LOGIN PASSWORD '%s';",
				account.ID(),
				password.Result,
			),
			Logging: local.LoggingNone,
			Environment: pulumi.StringMap{
				"PGHOST":            pulumi.String("db.example.com"),
				"PGCONNECT_TIMEOUT": pulumi.String("10"),
			},
			// A changed password needs a new role: the old one is dropped first.
			Triggers: pulumi.Array{password.Result},
		}, pulumi.DeleteBeforeReplace(true))
		if err != nil {
			return err
		}

		ctx.Export("accountName", account.ID())
		ctx.Export("accountPassword", pulumi.ToSecret(password.Result))
		return nil
	})
}
