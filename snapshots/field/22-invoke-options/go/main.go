package main

import (
	"github.com/pulumi/pulumi-azuread/sdk/v6/go/azuread"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		tenantB, err := azuread.NewProvider(ctx, "tenantB", &azuread.ProviderArgs{
			TenantId: pulumi.String("00000000-0000-0000-0000-00000000000b"),
			UseCli:   pulumi.Bool(true),
		})
		if err != nil {
			return err
		}

		group, err := azuread.NewGroup(ctx, "group", &azuread.GroupArgs{
			DisplayName:     pulumi.String("engineers"),
			SecurityEnabled: pulumi.Bool(true),
		}, pulumi.Provider(tenantB))
		if err != nil {
			return err
		}

		config := azuread.GetClientConfigOutput(ctx, pulumi.Provider(tenantB))
		everyone := azuread.GetUsersOutput(ctx, azuread.GetUsersOutputArgs{
			ReturnAll: pulumi.Bool(true),
		}, pulumi.Provider(tenantB), pulumi.Parent(tenantB), pulumi.DependsOn([]pulumi.Resource{group}))
		lookup := azuread.LookupGroupOutput(ctx, azuread.LookupGroupOutputArgs{
			DisplayName:     group.DisplayName,
			SecurityEnabled: pulumi.Bool(true),
		}, pulumi.Provider(tenantB), pulumi.Version("6.10.0"), pulumi.PluginDownloadURL("https://plugins.example.com"))

		_, err = azuread.NewGroupMember(ctx, "member", &azuread.GroupMemberArgs{
			GroupObjectId:  lookup.ObjectId(),
			MemberObjectId: config.ObjectId(),
		}, pulumi.Provider(tenantB))
		if err != nil {
			return err
		}

		ctx.Export("tenant", config.TenantId())
		ctx.Export("firstUser", everyone.Users().Index(pulumi.Int(0)).UserPrincipalName())
		return nil
	})
}
