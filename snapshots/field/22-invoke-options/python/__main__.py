import pulumi
import pulumi_azuread as azuread

tenant_b = azuread.Provider(
    "tenantB", tenant_id="00000000-0000-0000-0000-00000000000b", use_cli=True
)

group = azuread.Group(
    "group",
    display_name="engineers",
    security_enabled=True,
    opts=pulumi.ResourceOptions(provider=tenant_b),
)

config = azuread.get_client_config_output(
    opts=pulumi.InvokeOutputOptions(provider=tenant_b)
)

everyone = azuread.get_users_output(
    return_all=True,
    opts=pulumi.InvokeOutputOptions(
        provider=tenant_b, parent=tenant_b, depends_on=group
    ),
)

lookup = azuread.get_group_output(
    display_name=group.display_name,
    security_enabled=True,
    opts=pulumi.InvokeOutputOptions(
        provider=tenant_b,
        version="6.10.0",
        plugin_download_url="https://plugins.example.com",
    ),
)

member = azuread.GroupMember(
    "member",
    group_object_id=lookup.object_id,
    member_object_id=config.object_id,
    opts=pulumi.ResourceOptions(provider=tenant_b),
)

pulumi.export("tenant", config.tenant_id)
pulumi.export("firstUser", everyone.users[0].user_principal_name)
