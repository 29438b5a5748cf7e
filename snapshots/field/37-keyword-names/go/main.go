package main

import (
	"errors"

	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		class, err := cfg.Try("class")
		if err != nil {
			class = "economy"
		}

		def, err := cfg.TryInt("def")
		if errors.Is(err, config.ErrMissingVar) {
			def = 1
		} else if err != nil {
			return err
		}

		lambda := "lambda-" + class
		func_ := "func"

		items := []string{"a", "b"}
		var_ := make([]string, 0, len(items))
		for _, type_ := range items {
			var_ = append(var_, "t-"+type_)
		}

		items2 := map[string]string{"x": "1"}
		new_ := map[string]string{}
		for in, of := range items2 {
			new_[in] = of
		}

		default_ := true
		none := "None"

		import_, err := random.NewRandomPet(ctx, "import", &random.RandomPetArgs{
			Prefix: pulumi.String(lambda),
		})
		if err != nil {
			return err
		}

		from, err := random.NewRandomPet(ctx, "from", &random.RandomPetArgs{
			Length: pulumi.Int(def),
			Keepers: pulumi.StringMap{
				"return": pulumi.String(func_),
				"await":  import_.ID(),
			},
		})
		if err != nil {
			return err
		}

		interface_, err := random.NewRandomString(ctx, "interface", &random.RandomStringArgs{
			Length:  pulumi.Int(8),
			Special: pulumi.Bool(default_),
		})
		if err != nil {
			return err
		}

		await, err := random.NewRandomInteger(ctx, "await", &random.RandomIntegerArgs{
			Min: pulumi.Int(1),
			Max: pulumi.Int(10),
		})
		if err != nil {
			return err
		}

		string_, err := random.NewRandomUuid(ctx, "string", nil)
		if err != nil {
			return err
		}

		len_, err := random.NewRandomBytes(ctx, "len", &random.RandomBytesArgs{
			Length: await.Result,
		})
		if err != nil {
			return err
		}

		errCommand, err := local.NewCommand(ctx, "err", &local.CommandArgs{
			Create: pulumi.Sprintf("echo %s %s", string_.Result, len_.Hex),
		})
		if err != nil {
			return err
		}

		ctx.Export("type", from.ID())
		ctx.Export("async", interface_.Result)
		ctx.Export("print", errCommand.Stdout)
		ctx.Export("package", pulumi.Array{
			pulumi.ToStringArray(var_),
			pulumi.ToStringMap(new_),
			pulumi.String(none),
		})
		return nil
	})
}
