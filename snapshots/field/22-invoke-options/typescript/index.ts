import * as azuread from "@pulumi/azuread";

const tenantB = new azuread.Provider("tenantB", {
    tenantId: "00000000-0000-0000-0000-00000000000b",
    useCli: true,
});

const group = new azuread.Group(
    "group",
    {
        displayName: "engineers",
        securityEnabled: true,
    },
    { provider: tenantB },
);

const config = azuread.getClientConfigOutput({ provider: tenantB });

const everyone = azuread.getUsersOutput(
    { returnAll: true },
    { provider: tenantB, parent: tenantB, dependsOn: [group] },
);

const lookup = azuread.getGroupOutput(
    {
        displayName: group.displayName,
        securityEnabled: true,
    },
    {
        provider: tenantB,
        version: "6.10.0",
        pluginDownloadURL: "https://plugins.example.com",
    },
);

const member = new azuread.GroupMember(
    "member",
    {
        groupObjectId: lookup.objectId,
        memberObjectId: config.objectId,
    },
    { provider: tenantB },
);

export const tenant = config.tenantId;
export const firstUser = everyone.users[0].userPrincipalName;
