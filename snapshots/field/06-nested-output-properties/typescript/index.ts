import * as azuread from "@pulumi/azuread";
import * as tls from "@pulumi/tls";

const app = new azuread.Application("app", {
    displayName: "api",
    api: {
        mappedClaimsEnabled: true,
        requestedAccessTokenVersion: 2,
        oauth2PermissionScopes: [
            {
                id: "96183846-204b-4b43-82e1-5d2222eb4b9b",
                adminConsentDescription: "Allow reading",
                adminConsentDisplayName: "Read",
                enabled: true,
                type: "User",
                value: "read",
            },
        ],
    },
    web: {
        homepageUrl: "https://api.example.com",
        implicitGrant: { accessTokenIssuanceEnabled: true },
    },
    optionalClaims: {
        idTokens: [
            {
                name: "userclaim",
                source: "user",
                essential: true,
                additionalProperties: ["emit_as_roles"],
            },
        ],
    },
});

const cert = new tls.SelfSignedCert("cert", {
    privateKeyPem: "pem",
    allowedUses: ["client_auth"],
    validityPeriodHours: 24,
    subject: {
        commonName: "api",
        streetAddresses: ["1 Main St"],
    },
});

const group = new azuread.Group("group", {
    displayName: app.api.apply(
        (api) => api?.oauth2PermissionScopes?.[0]?.value!,
    ),
    description: app.web.apply((web) => web?.homepageUrl),
    securityEnabled: app.web.apply(
        (web) => web?.implicitGrant?.accessTokenIssuanceEnabled,
    ),
});

export const claim = app.optionalClaims.apply(
    (optionalClaims) =>
        optionalClaims?.idTokens?.[0]?.additionalProperties?.[0],
);

export const tokenVersion = app.api.apply(
    (api) => api?.requestedAccessTokenVersion,
);

export const street = cert.subject.apply(
    (subject) => subject?.streetAddresses?.[0],
);

export const cn = cert.subject.apply((subject) => `CN=${subject?.commonName}`);
