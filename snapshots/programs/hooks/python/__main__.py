# Commands that run when something happens to a resource.

import subprocess

import pulumi
import pulumi_probe as probe

config = pulumi.Config()
channel = config.get("channel", "ops")


def run_announce(args: pulumi.ResourceHookArgs) -> None:
    subprocess.run(["notify", channel, f"{args.name} is there"], check=True)


announce = pulumi.ResourceHook(
    "announce",
    run_announce,
    opts=pulumi.ResourceHookOptions(on_dry_run=False, ignore_errors=True),
)


def run_again(args: pulumi.ErrorHookArgs) -> bool:
    return subprocess.run(["./retry.sh", args.urn], check=False).returncode == 0


again = pulumi.ErrorHook("again", run_again)

thing = probe.Thing(
    "thing",
    label="hooked",
    opts=pulumi.ResourceOptions(
        hooks=pulumi.ResourceHookBinding(
            after_create=[announce], after_update=[announce], on_error=[again]
        )
    ),
)
