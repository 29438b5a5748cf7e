import * as azuread from "@pulumi/azuread";
import * as command from "@pulumi/command";
import * as random from "@pulumi/random";

function fromUniqueEntries<T>(
    entries: [string | number, T][],
): Record<string, T> {
    const result = Object.fromEntries(entries);
    if (Object.keys(result).length < entries.length) {
        throw new Error("two elements have the same key");
    }
    return result;
}

function requireValue<T>(value: T, problem: string): NonNullable<T> {
    if (value == null) {
        throw new Error(problem);
    }
    return value;
}

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

const shuffle = new random.RandomShuffle("shuffle", {
    inputs: ["red", "green", "blue"],
    resultCount: 2,
});

const app = new azuread.Application("app", {
    displayName: "portal",
    appRoles: [
        {
            id: "11111111-0000-0000-0000-000000000001",
            allowedMemberTypes: ["User"],
            description: "Readers",
            displayName: "Reader",
            value: "reader",
        },
        {
            id: "11111111-0000-0000-0000-000000000002",
            allowedMemberTypes: ["User"],
            description: "Writers",
            displayName: "Writer",
            value: "writer",
        },
    ],
});

const sp = new azuread.ServicePrincipal("sp", {
    clientId: app.clientId,
    tags: shuffle.results.apply((results) => results.map((c) => `color-${c}`)),
});

const trigger = new command.local.Command("trigger", {
    create: "echo done",
    triggers: shuffle.results,
});

export const colors = shuffle.results.apply((results) =>
    results.map((c, i) => `${i}:${c}`),
);

export const notRed = shuffle.results.apply((results) =>
    results.filter((c) => c !== "red"),
);

export const roleNames = sp.appRoles.apply((appRoles) =>
    appRoles.map((r) => r.displayName),
);

export const roleMap = sp.appRoles.apply((appRoles) =>
    fromUniqueEntries(
        appRoles.map((r) => [
            requireValue(r.value, "main.pp:49:36: r.value is not set"),
            r.id,
        ]),
    ),
);

export const scopeIds = app.oauth2PermissionScopeIds.apply(
    (oauth2PermissionScopeIds) =>
        sortedEntries(oauth2PermissionScopeIds).map(([k, v]) => `${k}=${v}`),
);
