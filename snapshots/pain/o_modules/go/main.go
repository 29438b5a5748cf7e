package main

import (
	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-command/sdk/go/command/remote"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		localCommand, err := local.NewCommand(ctx, "local", &local.CommandArgs{
			Create: pulumi.String("hostname"),
		})
		if err != nil {
			return err
		}

		remoteCommand, err := remote.NewCommand(ctx, "remote", &remote.CommandArgs{
			Create:     localCommand.Stdout,
			Connection: &remote.ConnectionArgs{Host: pulumi.String("example.org")},
		})
		if err != nil {
			return err
		}

		_, err = random.NewRandomPet(ctx, "command", &random.RandomPetArgs{
			Prefix: remoteCommand.Stdout,
		})
		if err != nil {
			return err
		}
		return nil
	})
}
