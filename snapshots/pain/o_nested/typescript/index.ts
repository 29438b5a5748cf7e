import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";

function requireMembers<T>(value: T, place: string, ...paths: string[]): T {
    const members: any = value ?? {};
    const each = Object.keys(members);
    if (!Array.isArray(value)) each.sort();
    for (const [step, ...rest] of paths.map((path) => path.split("/"))) {
        for (const key of step === "*" ? each : [step.replace(/~1/g, "/")]) {
            const inner = Array.isArray(value) ? `[${key}]` : `.${key}`;
            if (rest.length > 0) {
                requireMembers(members[key], place + inner, rest.join("/"));
            } else if (value != null && members[key] == null) {
                throw new Error(`${place + inner} is not set`);
            }
        }
    }
    return value;
}

const config = new pulumi.Config();

const hosts = requireMembers(
    config.requireObject<{ hostName: string; portNumber: number }[]>("hosts"),
    "main.pp:1:8: hosts",
    "*/hostName",
    "*/portNumber",
);

const host = new command.remote.Command("host", {
    create: "uptime",
    connection: {
        host: hosts[0].hostName,
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
        "with-dash": hosts[0].hostName,
    },
});

export const camel = host.environment.apply(
    (environment) => environment?.camelCase,
);

export const keys = { MY_KEY: 1, nestedMap: { innerKey: host.stdout } };
