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

type H struct {
	X *Size `json:"x" pulumi:"x"`
	Y *Rule `json:"y" pulumi:"y"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		web, err := NewWeb(ctx, "web", &WebArgs{
			G: []*string{pulumi.StringRef("small"), nil},
			H: H{
				Y: &Rule{
					Port:     2,
					Protocol: "udp",
				},
			},
		})
		if err != nil {
			return err
		}

		other, err := NewWeb(ctx, "other", &WebArgs{
			A: pulumi.StringRef(SizeMedium),
			B: pulumi.StringRef(SizeLarge),
			C: &Rule{
				Port:     3,
				Protocol: "tcp",
			},
			D: &Rule{
				Port:     4,
				Protocol: "tcp",
				Note:     pulumi.StringRef("n"),
			},
			E: []string{"large"},
			F: pulumi.StringRef(SizeLarge),
			G: []*string{},
			H: H{X: pulumi.StringRef("small")},
		})
		if err != nil {
			return err
		}

		ctx.Export("other", other.Shown)
		ctx.Export("shown", web.Shown)
		return nil
	})
}
