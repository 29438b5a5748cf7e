// What must not be shown.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const config = new pulumi.Config();
const password = config.requireSecret("password");

const thing = new probe.Thing("thing", {
    password,
    label: pulumi.secret("hidden"),
});

export const header = password.apply(
    (password) =>
        `Basic ${Buffer.from(`admin:${password}`).toString("base64")}`,
);

export const parts = pulumi.secret({ user: "admin", password });
export const open = pulumi.unsecret(password);
