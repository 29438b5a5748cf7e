// Names that mean something in a target language, or are none there.

package main

import (
	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		class, err := cfg.Try("class")
		if err != nil {
			class = "a"
		}

		dashedName, err := cfg.Try("dashed-name")
		if err != nil {
			dashedName = "b"
		}

		import_ := "c"
		self := "d"
		len_ := "e"
		errValue := "f"
		configValue := "g"
		func_ := "h"
		str := "i"

		lambda, err := probe.NewThing(ctx, "lambda", &probe.ThingArgs{
			Label: pulumi.String(class),
		})
		if err != nil {
			return err
		}

		pulumiThing, err := probe.NewThing(ctx, "pulumi_", &probe.ThingArgs{
			Label: pulumi.String(dashedName),
		})
		if err != nil {
			return err
		}

		probeThing, err := probe.NewThing(ctx, "probe", &probe.ThingArgs{
			Label: pulumi.Sprintf(
				"%s%s%s%s%s%s%s",
				import_,
				self,
				len_,
				errValue,
				configValue,
				func_,
				str,
			),
		})
		if err != nil {
			return err
		}

		items := []string{"x"}
		names := make([]string, 0, len(items))
		for _, type_ := range items {
			names = append(names, type_)
		}
		ctxThing, err := probe.NewThing(ctx, "ctx", &probe.ThingArgs{
			Names: pulumi.ToStringArray(names),
		})
		if err != nil {
			return err
		}

		httpServer, err := probe.NewThing(ctx, "HTTPServer", &probe.ThingArgs{
			Label: ctxThing.Out,
		})
		if err != nil {
			return err
		}

		httpServerThing, err := probe.NewThing(ctx, "http_server", &probe.ThingArgs{
			Label: httpServer.Out,
		})
		if err != nil {
			return err
		}

		ctx.Export("odd name", lambda.Out)
		ctx.Export("class", pulumi.StringArray{probeThing.Out, pulumiThing.Out, httpServerThing.Out})
		return nil
	})
}
