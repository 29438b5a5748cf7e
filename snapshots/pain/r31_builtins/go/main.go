package main

import (
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"os"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cwd, err := os.Getwd()
		if err != nil {
			return err
		}
		ctx.Export(
			"a",
			pulumi.Sprintf(
				"%s-%s-%s-%s-%s",
				ctx.Stack(),
				ctx.Project(),
				ctx.Organization(),
				cwd,
				ctx.RootDirectory(),
			),
		)

		ctx.Export("b", pulumi.String(strings.Join([]string{"a"}, ",")))
		ctx.Export("c", pulumi.ToStringArray(strings.Split("a,b", ",")))
		ctx.Export("d", pulumi.Int(len([]string{"a"})))

		list := []string{"a"}
		ctx.Export("e", pulumi.String(list[0]))

		members := map[string]string{"a": "1"}
		ctx.Export("f", pulumi.String(members["a"]))

		ctx.Export("g", pulumi.String(base64.StdEncoding.EncodeToString([]byte("x"))))

		hBytes, err := base64.StdEncoding.DecodeString("eA==")
		if err != nil {
			return err
		}
		ctx.Export("h", pulumi.String(string(hBytes)))

		ctx.Export("i", pulumi.String(fmt.Sprintf("%x", sha1.Sum([]byte("x")))))

		kBytes, err := os.ReadFile("a.txt")
		if err != nil {
			return err
		}
		ctx.Export("k", pulumi.String(string(kBytes)))

		lBytes, err := os.ReadFile("a.txt")
		if err != nil {
			return err
		}
		ctx.Export("l", pulumi.String(base64.StdEncoding.EncodeToString(lBytes)))

		entries := map[string]int{"a": 1}
		ctx.Export("n", pulumi.ToMapArray([]map[string]any{
			{
				"key":   "a",
				"value": entries["a"],
			},
		}))
		return nil
	})
}
