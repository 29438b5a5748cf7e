import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as docker from "@pulumi/docker";
import * as github from "@pulumi/github";

const config = new pulumi.Config();
const slot = config.getNumber("slot") ?? 0;
const hookEvent = config.get("hookEvent") ?? "push";

const net = new docker.Network("net", {
    name: "apps",
    ipamConfigs: [
        { subnet: "10.1.0.0/24", gateway: "10.1.0.1" },
        { subnet: "10.2.0.0/24" },
    ],
});

const app = new docker.Container("app", {
    image: "busybox",
    dns: [net.ipamConfigs[0].gateway!.apply((gateway) => gateway!)],
    networksAdvanced: [
        {
            name: net.name,
            ipv4Address: "10.1.0.7",
        },
    ],
});

const hook = new github.OrganizationWebhook("hook", {
    events: [hookEvent, "release"],
    configuration: {
        url: pulumi.interpolate`http://${app.networkDatas[0].ipAddress}:8080/`,
    },
});

const note = new command.local.Command("note", {
    create: pulumi.interpolate`echo ${hook.events[slot]} ${net.ipamConfigs[slot].subnet}`,
    environment: { OPTION: net.options["com.docker.network.bridge.name"] },
});

export const gateway = net.ipamConfigs[1].gateway;
export const legacyIndex = hook.events[0];
export const gatewayIp = app.networkDatas[slot].gateway;
export const event = hook.events[1];
