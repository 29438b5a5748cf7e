package main

import (
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"os"

	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		createBytes, err := os.ReadFile("main.pp")
		if err != nil {
			return err
		}
		partBytes, err := os.ReadFile("main.pp")
		if err != nil {
			return err
		}
		partBytes2, err := os.ReadFile("main.pp")
		if err != nil {
			return err
		}
		_, err = local.NewCommand(ctx, "script", &local.CommandArgs{
			Create: pulumi.String(string(createBytes)),
			Stdin: pulumi.Sprintf(
				"%s-%s",
				string(partBytes),
				base64.StdEncoding.EncodeToString(partBytes2),
			),
		})
		if err != nil {
			return err
		}

		textBytes, err := os.ReadFile("main.pp")
		if err != nil {
			return err
		}
		ctx.Export("digest", pulumi.String(fmt.Sprintf("%x", sha1.Sum(textBytes))))
		return nil
	})
}
