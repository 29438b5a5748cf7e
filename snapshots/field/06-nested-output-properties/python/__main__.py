import pulumi
import pulumi_azuread as azuread
import pulumi_tls as tls

app = azuread.Application(
    "app",
    display_name="api",
    api={
        "mapped_claims_enabled": True,
        "requested_access_token_version": 2,
        "oauth2_permission_scopes": [
            {
                "id": "96183846-204b-4b43-82e1-5d2222eb4b9b",
                "admin_consent_description": "Allow reading",
                "admin_consent_display_name": "Read",
                "enabled": True,
                "type": "User",
                "value": "read",
            }
        ],
    },
    web={
        "homepage_url": "https://api.example.com",
        "implicit_grant": {"access_token_issuance_enabled": True},
    },
    optional_claims={
        "id_tokens": [
            {
                "name": "userclaim",
                "source": "user",
                "essential": True,
                "additional_properties": ["emit_as_roles"],
            }
        ]
    },
)

cert = tls.SelfSignedCert(
    "cert",
    private_key_pem="pem",
    allowed_uses=["client_auth"],
    validity_period_hours=24,
    subject={"common_name": "api", "street_addresses": ["1 Main St"]},
)

group = azuread.Group(
    "group",
    display_name=app.api.oauth2_permission_scopes[0].value,
    description=app.web.homepage_url,
    security_enabled=app.web.implicit_grant.access_token_issuance_enabled,
)

pulumi.export("claim", app.optional_claims.id_tokens[0].additional_properties[0])
pulumi.export("tokenVersion", app.api.requested_access_token_version)
pulumi.export("street", cert.subject.street_addresses[0])
pulumi.export("cn", pulumi.Output.format("CN={0}", cert.subject.common_name))
