package main

import (
	"errors"
	"reflect"

	"github.com/pulumi/pulumi-github/sdk/v6/go/github"
	"github.com/pulumi/pulumi-tls/sdk/v5/go/tls"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type serviceArgs struct {
	ServiceName string `pulumi:"serviceName"`
	Template    string `pulumi:"template"`
}

// ServiceArgs are the inputs of Service.
type ServiceArgs struct {
	ServiceName pulumi.StringInput
	Template    pulumi.StringInput
}

func (ServiceArgs) ElementType() reflect.Type {
	return reflect.TypeOf((*serviceArgs)(nil)).Elem()
}

type Service struct {
	pulumi.ResourceState

	CloneUrl  pulumi.StringOutput `pulumi:"cloneUrl"`
	DeployKey pulumi.StringOutput `pulumi:"deployKey"`
}

// NewService registers the component and the resources inside it.
func NewService(
	ctx *pulumi.Context, name string, args *ServiceArgs, opts ...pulumi.ResourceOption,
) (*Service, error) {
	if args == nil {
		args = &ServiceArgs{}
	}
	component := &Service{}
	err := ctx.RegisterComponentResourceV2(
		"components:index:Service",
		name,
		args,
		component,
		opts...,
	)
	if err != nil {
		return nil, err
	}

	if args.ServiceName == nil {
		return nil, errors.New("missing required argument \"serviceName\"")
	}

	if args.Template == nil {
		return nil, errors.New("missing required argument \"template\"")
	}

	repo, err := github.NewRepository(ctx, name+"-repo", &github.RepositoryArgs{
		Name:       args.ServiceName.ToStringOutput(),
		Visibility: pulumi.String("private"),
		Template: &github.RepositoryTemplateArgs{
			Owner:      pulumi.String("acme"),
			Repository: args.Template,
		},
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	key, err := tls.NewPrivateKey(ctx, name+"-key", &tls.PrivateKeyArgs{
		Algorithm: pulumi.String("ED25519"),
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	_, err = github.NewRepositoryDeployKey(ctx, name+"-deploy", &github.RepositoryDeployKeyArgs{
		Repository: repo.Name,
		Title:      pulumi.String("deploy"),
		Key:        key.PublicKeyOpenssh,
		ReadOnly:   pulumi.Bool(true),
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	component.CloneUrl = repo.SshCloneUrl
	component.DeployKey = key.PrivateKeyOpenssh

	if err := ctx.RegisterResourceOutputs(component, pulumi.Map{
		"cloneUrl":  component.CloneUrl,
		"deployKey": component.DeployKey,
	}); err != nil {
		return nil, err
	}
	return component, nil
}
