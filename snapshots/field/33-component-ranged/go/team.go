package main

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/pulumi/pulumi-github/sdk/v6/go/github"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type teamArgs struct {
	Name        string   `pulumi:"name"`
	Description string   `pulumi:"description"`
	Members     []string `pulumi:"members"`
}

// TeamArgs are the inputs of Team.
type TeamArgs struct {
	Name        pulumi.StringInput
	Description pulumi.StringInput
	Members     []string
}

func (TeamArgs) ElementType() reflect.Type {
	return reflect.TypeOf((*teamArgs)(nil)).Elem()
}

type Team struct {
	pulumi.ResourceState

	Slug   pulumi.StringOutput `pulumi:"slug"`
	TeamId pulumi.IDOutput     `pulumi:"teamId"`
}

// NewTeam registers the component and the resources inside it.
func NewTeam(
	ctx *pulumi.Context, name string, args *TeamArgs, opts ...pulumi.ResourceOption,
) (*Team, error) {
	if args == nil {
		args = &TeamArgs{}
	}
	component := &Team{}
	err := ctx.RegisterComponentResourceV2("components:index:Team", name, args, component, opts...)
	if err != nil {
		return nil, err
	}

	if args.Name == nil {
		return nil, errors.New("missing required argument \"name\"")
	}

	if args.Description == nil {
		return nil, errors.New("missing required argument \"description\"")
	}

	team, err := github.NewTeam(ctx, name+"-team", &github.TeamArgs{
		Name:        args.Name.ToStringOutput(),
		Description: args.Description.ToStringOutput(),
		Privacy:     pulumi.String("closed"),
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	for i, member := range args.Members {
		_, err = github.NewTeamMembership(ctx, fmt.Sprintf("%s-membership-%d", name, i), &github.TeamMembershipArgs{
			TeamId:   team.ID(),
			Username: pulumi.String(member),
			Role:     pulumi.String("member"),
		}, pulumi.Parent(component))
		if err != nil {
			return nil, err
		}
	}

	component.Slug = team.Slug
	component.TeamId = team.ID()

	if err := ctx.RegisterResourceOutputs(component, pulumi.Map{
		"slug":   component.Slug,
		"teamId": component.TeamId,
	}); err != nil {
		return nil, err
	}
	return component, nil
}
