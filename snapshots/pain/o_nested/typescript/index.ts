import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";

function requireMembers<T>(value: T, name: string, ...paths: string[]): T {
    function check(item: any, place: string, [step, ...rest]: string[]) {
        if (item == null) {
            return;
        }
        if (Array.isArray(item)) {
            item.forEach((element, index) => {
                check(element, `${place}[${index}]`, rest);
            });
        } else if (step === "*") {
            for (const key of Object.keys(item).sort()) {
                check(item[key], `${place}.${key}`, rest);
            }
        } else {
            const member = step.replace(/~1/g, "/");
            if (rest.length > 0) {
                check(item[member], `${place}.${member}`, rest);
            } else if (item[member] == null) {
                throw new Error(`${place}.${member} is not set`);
            }
        }
    }
    paths.forEach((path) => check(value, name, path.split("/")));
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
