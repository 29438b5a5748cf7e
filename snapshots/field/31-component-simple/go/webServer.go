package main

import (
	"errors"
	"reflect"

	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type webServerArgs struct {
	Name   string   `pulumi:"name"`
	Image  string   `pulumi:"image"`
	Region *string  `pulumi:"region"`
	Tags   []string `pulumi:"tags"`
}

// WebServerArgs are the inputs of WebServer.
type WebServerArgs struct {
	// Name of the server
	Name   string
	Image  pulumi.StringInput
	Region pulumi.StringPtrInput
	Tags   pulumi.StringArrayInput
}

func (WebServerArgs) ElementType() reflect.Type {
	return reflect.TypeOf((*webServerArgs)(nil)).Elem()
}

type WebServer struct {
	pulumi.ResourceState

	Address pulumi.StringOutput `pulumi:"address"`
	Port    pulumi.IntOutput    `pulumi:"port"`
}

// NewWebServer registers the component and the resources inside it.
func NewWebServer(
	ctx *pulumi.Context, name string, args *WebServerArgs, opts ...pulumi.ResourceOption,
) (*WebServer, error) {
	if args == nil {
		args = &WebServerArgs{}
	}
	component := &WebServer{}
	err := ctx.RegisterComponentResourceV2(
		"components:index:WebServer",
		name,
		args,
		component,
		opts...,
	)
	if err != nil {
		return nil, err
	}

	if args.Image == nil {
		return nil, errors.New("missing required argument \"image\"")
	}

	region := args.Region
	if region == nil {
		region = pulumi.String("nyc3")
	}

	tags := args.Tags
	if tags == nil {
		tags = pulumi.StringArray{}
	}

	suffix, err := random.NewRandomId(ctx, name+"-suffix", &random.RandomIdArgs{
		ByteLength: pulumi.Int(2),
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	server, err := digitalocean.NewDroplet(ctx, name+"-server", &digitalocean.DropletArgs{
		Name:   pulumi.Sprintf("%s-%s", args.Name, suffix.Hex),
		Image:  args.Image,
		Size:   pulumi.String(digitalocean.DropletSlugDropletS1VCPU1GB),
		Region: region,
		Tags:   tags,
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	component.Address = server.Ipv4Address
	component.Port = pulumi.Int(8080).ToIntOutput()

	if err := ctx.RegisterResourceOutputs(component, pulumi.Map{
		"address": component.Address,
		"port":    component.Port,
	}); err != nil {
		return nil, err
	}
	return component, nil
}
