package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// How large a machine is.
// The larger, the dearer: */ """ # 100%.
type Size = string

const (
	SizeSmall  Size = "small"
	SizeMedium Size = "medium"
	SizeLarge  Size = "large"
)

// A port of a machine.
type Port = int

// What may pass.
type Rule struct {
	Port     Port    `json:"port" pulumi:"port"`
	Protocol string  `json:"protocol" pulumi:"protocol"`
	Note     *string `json:"note" pulumi:"note"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		web, err := NewWeb(ctx, "web", &WebArgs{
			Size:  SizeLarge,
			Level: 2.5,
			Rule: Rule{
				Port:     80,
				Protocol: "tcp",
			},
			Flags: map[string]string{
				"a":   "on",
				"b c": "off",
			},
			Sizes:  []string{"small", "small"},
			Either: "auto",
		})
		if err != nil {
			return err
		}

		ctx.Export("shown", web.Shown)
		return nil
	})
}
