import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as github from "@pulumi/github";
import * as childProcess from "child_process";

const config = new pulumi.Config();
const release = config.get("release") ?? "v1";

const announce = new pulumi.ResourceHook("announce", () => {
    childProcess.execFileSync("sh", ["-c", `echo created ${release}`]);
});

const cleanup = new pulumi.ResourceHook(
    "cleanup",
    () => {
        childProcess.execFileSync("rm", ["-rf", "/tmp/build"]);
    },
    { onDryRun: false, ignoreErrors: true },
);

const prov = new github.Provider(
    "prov",
    { owner: "acme" },
    { envVarMappings: { ACME_GITHUB_TOKEN: "GITHUB_TOKEN" } },
);

const repo = new github.Repository(
    "repo",
    { name: "shop" },
    {
        provider: prov,
        hideDiffs: ["etag"],
        hooks: {
            afterCreate: [announce],
            beforeDelete: [cleanup],
        },
    },
);

const build = new command.local.Command(
    "build",
    { create: `make release VERSION=${release}` },
    {
        replaceWith: [repo],
        replacementTrigger: release,
    },
);

const deploy = new command.local.Command(
    "deploy",
    { create: "make deploy" },
    {
        dependsOn: [build],
        replacementTrigger: build.stdout,
    },
);

export const result = deploy.stdout;
