package main

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"os"

	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-docker/sdk/v5/go/docker"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		userDataBytes, err := os.ReadFile("user-data.sh")
		if err != nil {
			return err
		}
		userData := string(userDataBytes)

		certBytes, err := os.ReadFile("cert.pem")
		if err != nil {
			return err
		}
		cert := base64.StdEncoding.EncodeToString(certBytes)

		_, err = digitalocean.NewDroplet(ctx, "host", &digitalocean.DropletArgs{
			Image:    pulumi.String("debian-12-x64"),
			Size:     pulumi.String(digitalocean.DropletSlugDropletS1VCPU1GB),
			Region:   pulumi.String(digitalocean.RegionTOR1),
			UserData: pulumi.String(userData),
		})
		if err != nil {
			return err
		}

		contentBytes, err := os.ReadFile("./nginx.conf")
		if err != nil {
			return err
		}
		sourceHashBytes, err := os.ReadFile("cert.pem")
		if err != nil {
			return err
		}
		sourceHashSum := sha256.Sum256(sourceHashBytes)
		_, err = docker.NewContainer(ctx, "uploads", &docker.ContainerArgs{
			Image: pulumi.String("nginx:1.27"),
			Uploads: docker.ContainerUploadArray{
				docker.ContainerUploadArgs{
					File:    pulumi.String("/etc/nginx/conf.d/default.conf"),
					Content: pulumi.String(string(contentBytes)),
				},
				docker.ContainerUploadArgs{
					File:          pulumi.String("/etc/ssl/cert.pem"),
					ContentBase64: pulumi.String(cert),
					SourceHash:    pulumi.String(base64.StdEncoding.EncodeToString(sourceHashSum[:])),
				},
			},
		})
		if err != nil {
			return err
		}

		textBytes, err := os.ReadFile("nginx.conf")
		if err != nil {
			return err
		}
		textBytes2, err := os.ReadFile("nginx.conf")
		if err != nil {
			return err
		}
		config, err := docker.NewServiceConfig(ctx, "config", &docker.ServiceConfigArgs{
			Name: pulumi.String("nginx-" + fmt.Sprintf("%x", sha1.Sum(textBytes))),
			Data: pulumi.String(base64.StdEncoding.EncodeToString(textBytes2)),
		})
		if err != nil {
			return err
		}

		ctx.Export("decoded", config.Data.ApplyT(func(data *string) (string, error) {
			if data == nil {
				return "", errors.New("main.pp:32:22: config.data is not set")
			}
			decodedBytes, err := base64.StdEncoding.DecodeString(*data)
			if err != nil {
				return "", err
			}
			return string(decodedBytes), nil
		}))

		cwd, err := os.Getwd()
		if err != nil {
			return err
		}
		ctx.Export("where", pulumi.Sprintf("%s/%s", cwd, ctx.RootDirectory()))
		return nil
	})
}
