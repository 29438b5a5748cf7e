import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as github from "@pulumi/github";
import * as random from "@pulumi/random";

pulumi.requirePulumiVersion(">=3.150.0");

const config = new pulumi.Config();
const licenseKey = config.requireSecret("licenseKey");

const fullName = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
const isProd = pulumi.getStack() === "prod";

const password = new random.RandomPassword("password", {
    length: isProd ? 40 : 20,
});

const env = new github.RepositoryEnvironment("env", {
    repository: pulumi.getProject(),
    environment: pulumi.getStack(),
});

const variable = new github.ActionsVariable("variable", {
    repository: env.repository,
    variableName: "PULUMI_STACK",
    value: fullName,
});

const licence = new github.ActionsEnvironmentSecret("licence", {
    repository: env.repository,
    environment: env.environment,
    secretName: "LICENSE",
    value: licenseKey,
});

const wrapped = new command.local.Command("wrapped", {
    create: "deploy",
    stdin: pulumi.secret(pulumi.interpolate`token-${password.result}`),
    environment: {
        STACK: pulumi.getStack(),
        SECRET: pulumi.secret("plain"),
        LENGTH: pulumi
            .unsecret(password.length)
            .apply((length) => String(length)),
    },
});

export const open = pulumi.unsecret(password.result);

export const closed = pulumi.secret({
    user: "admin",
    pass: password.result,
});

export const identity = `${pulumi.resourceName(password)} is a ${pulumi.resourceType(password)}`;

export const licenseLength = licenseKey.apply(
    (licenseKey) => [...new Intl.Segmenter().segment(licenseKey)].length,
);
