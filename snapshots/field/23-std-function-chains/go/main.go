package main

import (
	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi-std/sdk/v2/go/std"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		cidr, err := cfg.Try("cidr")
		if err != nil {
			cidr = "10.20.0.0/16"
		}

		csv, err := cfg.Try("csv")
		if err != nil {
			csv = "name,port\nweb,80\napi,8080"
		}

		subnet := std.CidrsubnetOutput(ctx, std.CidrsubnetOutputArgs{
			Input:   pulumi.String(cidr),
			Newbits: pulumi.Int(4),
			Netnum:  pulumi.Int(2),
		}).Result()
		host := std.CidrhostOutput(ctx, std.CidrhostOutputArgs{
			Input: subnet,
			Host:  pulumi.Int(5),
		}).Result()
		rows := std.CsvdecodeOutput(ctx, std.CsvdecodeOutputArgs{Input: pulumi.String(csv)}).Result()
		title := std.TitleOutput(ctx, std.TitleOutputArgs{
			Input: std.ReplaceOutput(ctx, std.ReplaceOutputArgs{
				Text:    pulumi.String("hello-world"),
				Search:  pulumi.String("-"),
				Replace: pulumi.String(" "),
			}).Result(),
		}).Result()
		message := std.FormatOutput(ctx, std.FormatOutputArgs{
			Input: pulumi.String("%s has %d subnets"),
			Args:  pulumi.Array{title, pulumi.Int(4)},
		}).Result()
		merged := std.MergeOutput(ctx, std.MergeOutputArgs{
			Input: pulumi.MapArray{
				pulumi.Map{
					"a": pulumi.String("1"),
					"b": pulumi.String("2"),
				},
				pulumi.Map{"b": pulumi.String("3")},
			},
		}).Result()
		parts := std.SplitOutput(ctx, std.SplitOutputArgs{
			Separator: pulumi.String(","),
			Text:      pulumi.String("x,y,z"),
		}).Result()
		flat := std.FlattenOutput(ctx, std.FlattenOutputArgs{
			Input: pulumi.Array{
				pulumi.StringArray{pulumi.String("a")},
				pulumi.StringArray{pulumi.String("b"), pulumi.String("c")},
			},
		}).Result()

		vpc, err := digitalocean.NewVpc(ctx, "vpc", &digitalocean.VpcArgs{
			Region:      pulumi.String("nyc3"),
			IpRange:     subnet,
			Description: message,
		})
		if err != nil {
			return err
		}

		pet, err := random.NewRandomPet(ctx, "pet", &random.RandomPetArgs{
			Prefix: std.LowerOutput(ctx, std.LowerOutputArgs{
				Input: std.JoinOutput(ctx, std.JoinOutputArgs{
					Separator: pulumi.String("-"),
					Input:     parts,
				}).Result(),
			}).Result(),
		})
		if err != nil {
			return err
		}

		_, err = digitalocean.NewSpacesBucketObject(ctx, "encoded", &digitalocean.SpacesBucketObjectArgs{
			Bucket:        pulumi.String("b"),
			Key:           pulumi.String("k"),
			Region:        pulumi.String("nyc3"),
			ContentBase64: std.Base64encodeOutput(ctx, std.Base64encodeOutputArgs{Input: pet.ID()}).Result(),
			Etag:          std.Md5Output(ctx, std.Md5OutputArgs{Input: pulumi.String("static")}).Result(),
		})
		if err != nil {
			return err
		}

		ctx.Export("host", host)
		ctx.Export("firstRow", rows.Index(pulumi.Int(0)).MapIndex(pulumi.String("name")))
		ctx.Export("merged", merged)
		ctx.Export("flat", flat)
		ctx.Export("shout", std.UpperOutput(ctx, std.UpperOutputArgs{
			Input: pulumi.Sprintf("%s-%s", vpc.Region, pet.ID()),
		}).Result())
		return nil
	})
}
