import subprocess

import pulumi
import pulumi_command as command
import pulumi_github as github

config = pulumi.Config()
release = config.get("release", "v1")


def run_announce(args: pulumi.ResourceHookArgs) -> None:
    subprocess.run(["sh", "-c", f"echo created {release}"], check=True)


announce = pulumi.ResourceHook("announce", run_announce)


def run_cleanup(args: pulumi.ResourceHookArgs) -> None:
    subprocess.run(["rm", "-rf", "/tmp/build"], check=True)


cleanup = pulumi.ResourceHook(
    "cleanup",
    run_cleanup,
    opts=pulumi.ResourceHookOptions(on_dry_run=False, ignore_errors=True),
)

prov = github.Provider(
    "prov",
    owner="acme",
    opts=pulumi.ResourceOptions(env_var_mappings={"ACME_GITHUB_TOKEN": "GITHUB_TOKEN"}),
)

repo = github.Repository(
    "repo",
    name="shop",
    opts=pulumi.ResourceOptions(
        provider=prov,
        hide_diffs=["etag"],
        hooks=pulumi.ResourceHookBinding(
            after_create=[announce], before_delete=[cleanup]
        ),
    ),
)

build = command.local.Command(
    "build",
    create=f"make release VERSION={release}",
    opts=pulumi.ResourceOptions(replace_with=[repo], replacement_trigger=release),
)

deploy = command.local.Command(
    "deploy",
    create="make deploy",
    opts=pulumi.ResourceOptions(depends_on=build, replacement_trigger=build.stdout),
)

pulumi.export("result", deploy.stdout)
