package main

import (
	"github.com/pulumi/pulumi-azuread/sdk/v6/go/azuread"
	"github.com/pulumi/pulumi-tls/sdk/v5/go/tls"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		app, err := azuread.NewApplication(ctx, "app", &azuread.ApplicationArgs{
			DisplayName: pulumi.String("api"),
			Api: &azuread.ApplicationApiArgs{
				MappedClaimsEnabled:         pulumi.Bool(true),
				RequestedAccessTokenVersion: pulumi.Int(2),
				Oauth2PermissionScopes: azuread.ApplicationApiOauth2PermissionScopeArray{
					azuread.ApplicationApiOauth2PermissionScopeArgs{
						Id:                      pulumi.String("96183846-204b-4b43-82e1-5d2222eb4b9b"),
						AdminConsentDescription: pulumi.String("Allow reading"),
						AdminConsentDisplayName: pulumi.String("Read"),
						Enabled:                 pulumi.Bool(true),
						Type:                    pulumi.String("User"),
						Value:                   pulumi.String("read"),
					},
				},
			},
			Web: &azuread.ApplicationWebArgs{
				HomepageUrl: pulumi.String("https://api.example.com"),
				ImplicitGrant: &azuread.ApplicationWebImplicitGrantArgs{
					AccessTokenIssuanceEnabled: pulumi.Bool(true),
				},
			},
			OptionalClaims: &azuread.ApplicationOptionalClaimsTypeArgs{
				IdTokens: azuread.ApplicationOptionalClaimsIdTokenArray{
					azuread.ApplicationOptionalClaimsIdTokenArgs{
						Name:                 pulumi.String("userclaim"),
						Source:               pulumi.String("user"),
						Essential:            pulumi.Bool(true),
						AdditionalProperties: pulumi.StringArray{pulumi.String("emit_as_roles")},
					},
				},
			},
		})
		if err != nil {
			return err
		}

		cert, err := tls.NewSelfSignedCert(ctx, "cert", &tls.SelfSignedCertArgs{
			PrivateKeyPem:       pulumi.String("pem"),
			AllowedUses:         pulumi.StringArray{pulumi.String("client_auth")},
			ValidityPeriodHours: pulumi.Int(24),
			Subject: &tls.SelfSignedCertSubjectArgs{
				CommonName:      pulumi.String("api"),
				StreetAddresses: pulumi.StringArray{pulumi.String("1 Main St")},
			},
		})
		if err != nil {
			return err
		}

		_, err = azuread.NewGroup(ctx, "group", &azuread.GroupArgs{
			DisplayName:     app.Api.Oauth2PermissionScopes().Index(pulumi.Int(0)).Value().Elem(),
			Description:     app.Web.HomepageUrl(),
			SecurityEnabled: app.Web.ImplicitGrant().AccessTokenIssuanceEnabled(),
		})
		if err != nil {
			return err
		}

		ctx.Export(
			"claim",
			app.OptionalClaims.IdTokens().Index(pulumi.Int(0)).AdditionalProperties().Index(pulumi.Int(0)),
		)
		ctx.Export("tokenVersion", app.Api.RequestedAccessTokenVersion())
		ctx.Export("street", cert.Subject.StreetAddresses().Index(pulumi.Int(0)))
		ctx.Export("cn", pulumi.Sprintf("CN=%s", cert.Subject.CommonName().Elem()))
		return nil
	})
}
