package main

import (
	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-docker/sdk/v5/go/docker"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		network, err := docker.NewNetwork(ctx, "network", &docker.NetworkArgs{
			Name:   pulumi.String("backend"),
			Driver: pulumi.String("bridge"),
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}

		data, err := docker.NewVolume(ctx, "data", &docker.VolumeArgs{
			Name: pulumi.String("pgdata"),
		}, pulumi.RetainOnDelete(true), pulumi.Protect(true))
		if err != nil {
			return err
		}

		image, err := docker.NewRemoteImage(ctx, "image", &docker.RemoteImageArgs{
			Name:        pulumi.String("postgres:16"),
			KeepLocally: pulumi.Bool(true),
		})
		if err != nil {
			return err
		}

		postgres, err := docker.NewContainer(
			ctx,
			"postgres",
			&docker.ContainerArgs{
				Name:    pulumi.String("postgres"),
				Image:   image.ImageId,
				Restart: pulumi.String("unless-stopped"),
				Envs:    pulumi.StringArray{pulumi.String("POSTGRES_PASSWORD=hunter2")},
				NetworksAdvanced: docker.ContainerNetworksAdvancedArray{
					docker.ContainerNetworksAdvancedArgs{
						Name:    network.Name,
						Aliases: pulumi.StringArray{pulumi.String("db")},
					},
				},
				Volumes: docker.ContainerVolumeArray{
					docker.ContainerVolumeArgs{
						VolumeName:    data.Name,
						ContainerPath: pulumi.String("/var/lib/postgresql/data"),
					},
				},
			},
			pulumi.Parent(network),
			pulumi.DependsOn([]pulumi.Resource{data, image}),
			pulumi.DeleteBeforeReplace(true),
			pulumi.IgnoreChanges([]string{
				"envs",
				"labels",
				"networksAdvanced[0].aliases",
				"logOpts[\"max-size\"]",
			}),
		)
		if err != nil {
			return err
		}

		smoke, err := local.NewCommand(ctx, "smoke", &local.CommandArgs{
			Create: pulumi.Sprintf("docker exec %s pg_isready", postgres.Name),
		}, pulumi.DependsOn([]pulumi.Resource{postgres}), pulumi.Parent(postgres), pulumi.IgnoreChanges([]string{
			"create",
		}))
		if err != nil {
			return err
		}

		ctx.Export("ready", smoke.Stdout)
		return nil
	})
}
