import pulumi
import pulumi_command as command
import pulumi_docker as docker
import pulumi_github as github

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
    dns=[net.ipam_configs[0].gateway],
    networks_advanced=[{"name": net.name, "ipv4_address": "10.1.0.7"}],
)

hook = github.OrganizationWebhook(
    "hook",
    events=[hook_event, "release"],
    configuration={
        "url": pulumi.Output.format("http://{0}:8080/", app.network_datas[0].ip_address)
    },
)

note = command.local.Command(
    "note",
    create=pulumi.Output.format(
        "echo {0} {1}", hook.events[slot], net.ipam_configs[slot].subnet
    ),
    environment={"OPTION": net.options["com.docker.network.bridge.name"]},
)

pulumi.export("gateway", net.ipam_configs[1].gateway)
pulumi.export("legacyIndex", hook.events[0])
pulumi.export("gatewayIp", app.network_datas[slot].gateway)
pulumi.export("event", hook.events[1])
