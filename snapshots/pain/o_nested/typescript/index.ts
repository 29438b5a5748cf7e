import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";

const config = new pulumi.Config();

const hosts =
    config.requireObject<{ hostName?: string; portNumber?: number }[]>("hosts");

const host = new command.remote.Command("host", {
    create: "uptime",
    connection: {
        host: hosts[0].hostName!,
        port: hosts[0].portNumber,
        privateKeyPassword: "secret",
        proxy: {
            host: "bastion",
            dialErrorLimit: 3,
        },
    },
    environment: {
        MY_KEY: "1",
        camelCase: "2",
        "with-dash": hosts[0].hostName!,
    },
});

export const camel = host.environment.apply(
    (environment) => environment?.camelCase,
);

export const keys = { MY_KEY: 1, nestedMap: { innerKey: host.stdout } };
