package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type Keys struct {
	Class      string `json:"class" pulumi:"class"`
	From       int    `json:"from" pulumi:"from"`
	With_space string `json:"with space" pulumi:"with space"`
	Xx         int    `json:"__x" pulumi:"__x"`
	Str        int    `json:"str" pulumi:"str"`
	Port       int    `json:"Port" pulumi:"Port"`
}

type Kinds struct {
	Str string `json:"str" pulumi:"str"`
	Int string `json:"int" pulumi:"int"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		web, err := NewWeb(ctx, "web", &WebArgs{
			A: Keys{
				Class:      "x",
				From:       1,
				With_space: "y",
				Xx:         2,
				Str:        3,
				Port:       4,
			},
			B: Kinds{
				Str: "x",
				Int: "y",
			},
		})
		if err != nil {
			return err
		}

		ctx.Export("shown", web.Shown)
		return nil
	})
}
