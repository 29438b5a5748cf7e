from typing import Any

import pulumi
import pulumi_command as command
import pulumi_docker as docker
import pulumi_github as github


def require_value(value: Any, problem: str) -> Any:
    """The value; one that is not set is an error."""
    if value is None:
        raise ValueError(problem)
    return value


config = pulumi.Config()
slot = config.get_int("slot", 0)
hook_event = config.get("hookEvent", "push")

net = docker.Network(
    "net",
    name="apps",
    ipam_configs=[
        {"subnet": "10.1.0.0/24", "gateway": "10.1.0.1"},
        {"subnet": "10.2.0.0/24"},
    ],
)

app = docker.Container(
    "app",
    image="busybox",
    dns=[
        net.ipam_configs.apply(
            lambda ipam_configs: require_value(
                ipam_configs[0].gateway,
                "main.pp:19:12: net.ipamConfigs[0].gateway is not set",
            )
        )
    ],
    networks_advanced=[{"name": net.name, "ipv4_address": "10.1.0.7"}],
)

hook = github.OrganizationWebhook(
    "hook",
    events=[hook_event, "release"],
    configuration={
        "url": app.network_datas.apply(
            lambda network_datas: f"http://{require_value(network_datas[0].ip_address, 'main.pp:29:21: app.networkDatas[0].ipAddress is not set')}:8080/"
        )
    },
)

note = command.local.Command(
    "note",
    create=pulumi.Output.all(events=hook.events, ipam_configs=net.ipam_configs).apply(
        lambda args: f"echo {args['events'][slot]} {require_value(args['ipam_configs'][slot].get('subnet'), 'main.pp:34:41: the value is not set')}"
    ),
    environment={"OPTION": net.options["com.docker.network.bridge.name"]},
)

pulumi.export("gateway", net.ipam_configs[1].gateway)
pulumi.export("legacyIndex", hook.events[0])
pulumi.export("gatewayIp", app.network_datas[slot].gateway)
pulumi.export("event", hook.events[1])
