// Commands that run when something happens to a resource.

package main

import (
	"os/exec"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		channel, err := cfg.Try("channel")
		if err != nil {
			channel = "ops"
		}

		announce, err := ctx.RegisterResourceHook("announce", func(args *pulumi.ResourceHookArgs) error {
			return exec.Command("notify", channel, args.Name+" is there").Run()
		}, &pulumi.ResourceHookOptions{
			OnDryRun:     false,
			IgnoreErrors: true,
		})
		if err != nil {
			return err
		}

		again, err := ctx.RegisterErrorHook("again", func(args *pulumi.ErrorHookArgs) (bool, error) {
			return exec.Command("./retry.sh", string(args.URN)).Run() == nil, nil
		})
		if err != nil {
			return err
		}

		_, err = probe.NewThing(ctx, "thing", &probe.ThingArgs{
			Label: pulumi.String("hooked"),
		}, pulumi.ResourceHooks(&pulumi.ResourceHookBinding{
			AfterCreate: []*pulumi.ResourceHook{announce},
			AfterUpdate: []*pulumi.ResourceHook{announce},
			OnError:     []*pulumi.ErrorHook{again},
		}))
		if err != nil {
			return err
		}
		return nil
	})
}
