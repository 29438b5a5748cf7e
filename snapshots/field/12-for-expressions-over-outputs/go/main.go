package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi-azuread/sdk/v6/go/azuread"
	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		shuffle, err := random.NewRandomShuffle(ctx, "shuffle", &random.RandomShuffleArgs{
			Inputs: pulumi.StringArray{
				pulumi.String("red"),
				pulumi.String("green"),
				pulumi.String("blue"),
			},
			ResultCount: pulumi.Int(2),
		})
		if err != nil {
			return err
		}

		app, err := azuread.NewApplication(ctx, "app", &azuread.ApplicationArgs{
			DisplayName: pulumi.String("portal"),
			AppRoles: azuread.ApplicationAppRoleTypeArray{
				azuread.ApplicationAppRoleTypeArgs{
					Id:                 pulumi.String("11111111-0000-0000-0000-000000000001"),
					AllowedMemberTypes: pulumi.StringArray{pulumi.String("User")},
					Description:        pulumi.String("Readers"),
					DisplayName:        pulumi.String("Reader"),
					Value:              pulumi.String("reader"),
				},
				azuread.ApplicationAppRoleTypeArgs{
					Id:                 pulumi.String("11111111-0000-0000-0000-000000000002"),
					AllowedMemberTypes: pulumi.StringArray{pulumi.String("User")},
					Description:        pulumi.String("Writers"),
					DisplayName:        pulumi.String("Writer"),
					Value:              pulumi.String("writer"),
				},
			},
		})
		if err != nil {
			return err
		}

		sp, err := azuread.NewServicePrincipal(ctx, "sp", &azuread.ServicePrincipalArgs{
			ClientId: app.ClientId,
			Tags: shuffle.Results.ApplyT(func(results []string) []string {
				tags := make([]string, 0, len(results))
				for _, c := range results {
					tags = append(tags, "color-"+c)
				}
				return tags
			}).(pulumi.StringArrayOutput),
		})
		if err != nil {
			return err
		}

		_, err = local.NewCommand(ctx, "trigger", &local.CommandArgs{
			Create: pulumi.String("echo done"),
			Triggers: shuffle.Results.ApplyT(func(triggers []string) []any {
				triggers2 := make([]any, 0, len(triggers))
				for _, item := range triggers {
					triggers2 = append(triggers2, item)
				}
				return triggers2
			}).(pulumi.ArrayOutput),
		})
		if err != nil {
			return err
		}

		ctx.Export("colors", shuffle.Results.ApplyT(func(results []string) []string {
			colors := make([]string, 0, len(results))
			for i, c := range results {
				colors = append(colors, fmt.Sprintf("%d:%s", i, c))
			}
			return colors
		}))
		ctx.Export("notRed", shuffle.Results.ApplyT(func(results []string) []string {
			notRed := []string{}
			for _, c := range results {
				if c != "red" {
					notRed = append(notRed, c)
				}
			}
			return notRed
		}))
		ctx.Export("roleNames", sp.AppRoles.ApplyT(func(appRoles []azuread.ServicePrincipalAppRole) []*string {
			roleNames := make([]*string, 0, len(appRoles))
			for _, r := range appRoles {
				roleNames = append(roleNames, r.DisplayName)
			}
			return roleNames
		}))
		ctx.Export("roleMap", sp.AppRoles.ApplyT(func(appRoles []azuread.ServicePrincipalAppRole) (map[string]*string, error) {
			roleMap := map[string]*string{}
			for _, r := range appRoles {
				if r.Value == nil {
					return nil, errors.New("main.pp:49:36: r.value is not set")
				}
				key := *r.Value
				if _, ok := roleMap[key]; ok {
					return nil, fmt.Errorf("two elements have the key %q", key)
				}
				roleMap[key] = r.Id
			}
			return roleMap, nil
		}))
		ctx.Export("scopeIds", app.Oauth2PermissionScopeIds.ApplyT(func(oauth2PermissionScopeIds map[string]string) []string {
			scopeIds := make([]string, 0, len(oauth2PermissionScopeIds))
			for _, k := range slices.Sorted(maps.Keys(oauth2PermissionScopeIds)) {
				v := oauth2PermissionScopeIds[k]
				scopeIds = append(scopeIds, fmt.Sprintf("%s=%s", k, v))
			}
			return scopeIds
		}))
		return nil
	})
}
