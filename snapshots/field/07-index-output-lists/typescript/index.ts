import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as docker from "@pulumi/docker";
import * as github from "@pulumi/github";

function requireValue<T>(value: T, problem: string): NonNullable<T> {
    if (value == null) {
        throw new Error(problem);
    }
    return value;
}

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
    dns: [
        net.ipamConfigs.apply((ipamConfigs) =>
            requireValue(
                ipamConfigs[0].gateway,
                "main.pp:19:12: net.ipamConfigs[0].gateway is not set",
            ),
        ),
    ],
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
        url: app.networkDatas.apply(
            (networkDatas) =>
                `http://${requireValue(networkDatas[0].ipAddress, "main.pp:29:21: app.networkDatas[0].ipAddress is not set")}:8080/`,
        ),
    },
});

const note = new command.local.Command("note", {
    create: pulumi
        .all([hook.events, net.ipamConfigs])
        .apply(
            ([events, ipamConfigs]) =>
                `echo ${events[slot]} ${requireValue(ipamConfigs[slot].subnet, "main.pp:34:41: the value is not set")}`,
        ),
    environment: { OPTION: net.options["com.docker.network.bridge.name"] },
});

export const gateway = net.ipamConfigs[1].gateway;
export const legacyIndex = hook.events[0];
export const gatewayIp = app.networkDatas[slot].gateway;
export const event = hook.events[1];
