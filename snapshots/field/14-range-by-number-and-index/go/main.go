package main

import (
	"fmt"

	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-github/sdk/v6/go/github"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi-tls/sdk/v5/go/tls"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		var passwords []*random.RandomPassword
		for i := range 3 {
			randomPassword, err := random.NewRandomPassword(ctx, fmt.Sprintf("passwords-%d", i), &random.RandomPasswordArgs{
				Length:  pulumi.Int(16 + i),
				Special: pulumi.Bool(false),
			})
			if err != nil {
				return err
			}
			passwords = append(passwords, randomPassword)
		}

		var keys []*tls.PrivateKey
		for i := range 2 {
			privateKey, err := tls.NewPrivateKey(ctx, fmt.Sprintf("keys-%d", i), &tls.PrivateKeyArgs{
				Algorithm: pulumi.String("RSA"),
				RsaBits:   pulumi.Int(4096),
			})
			if err != nil {
				return err
			}
			keys = append(keys, privateKey)
		}

		_, err := digitalocean.NewSshKey(ctx, "sshKey", &digitalocean.SshKeyArgs{
			Name:      pulumi.String("deploy"),
			PublicKey: keys[0].PublicKeyOpenssh,
		})
		if err != nil {
			return err
		}

		_, err = github.NewActionsSecret(ctx, "secretOne", &github.ActionsSecretArgs{
			Repository: pulumi.String("shop"),
			SecretName: pulumi.String("DB_PASSWORD"),
			Value:      passwords[1].Result,
		})
		if err != nil {
			return err
		}

		_, err = local.NewCommand(ctx, "mixed", &local.CommandArgs{
			Create: pulumi.Sprintf("echo %d-%s", passwords[0].Length, keys[1].Algorithm),
		})
		if err != nil {
			return err
		}

		ctx.Export("last", passwords[2].BcryptHash)
		ctx.Export("pems", pulumi.StringArray{keys[0].PublicKeyPem, keys[1].PublicKeyPem})
		return nil
	})
}
