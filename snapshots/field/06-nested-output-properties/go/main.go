package main

import (
	"errors"

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
			DisplayName: app.Api.ApplyT(func(api *azuread.ApplicationApi) (string, error) {
				var displayName []azuread.ApplicationApiOauth2PermissionScope
				if api != nil {
					displayName = api.Oauth2PermissionScopes
				}
				if displayName[0].Value == nil {
					return "", errors.New("main.pp:42:21: app.api.oauth2PermissionScopes[0].value is not set")
				}
				return *displayName[0].Value, nil
			}).(pulumi.StringOutput),
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
		ctx.Export("cn", cert.Subject.ApplyT(func(subject *tls.SelfSignedCertSubject) (string, error) {
			var part *string
			if subject != nil {
				part = subject.CommonName
			}
			if part == nil {
				return "", errors.New("main.pp:60:17: cert.subject.commonName is not set")
			}
			return "CN=" + *part, nil
		}))
		return nil
	})
}
