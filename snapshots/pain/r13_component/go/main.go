package main

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type Cfg struct {
	Path string `json:"path" pulumi:"path"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		web, err := NewWeb(ctx, "web", &WebArgs{
			Prefix: "x",
			Tags:   pulumi.StringArray{pulumi.String("a")},
			Cfg:    Cfg{Path: "p"},
		})
		if err != nil {
			return err
		}

		for i := range 2 {
			_, err = NewWeb(ctx, fmt.Sprintf("many-%d", i), &WebArgs{
				Prefix: fmt.Sprintf("x%d", i),
				Tags:   pulumi.StringArray{},
				Cfg:    Cfg{Path: "p"},
			})
			if err != nil {
				return err
			}
		}

		ctx.Export("id", web.PetId)
		return nil
	})
}

// wholeNumber returns a number, which must be whole, as an int.
func wholeNumber(value float64) (int, error) {
	if float64(int(value)) != value {
		return 0, fmt.Errorf("expected a whole number, found %v", value)
	}
	return int(value), nil
}
