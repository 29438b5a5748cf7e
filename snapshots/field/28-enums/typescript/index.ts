import * as command from "@pulumi/command";
import * as digitalocean from "@pulumi/digitalocean";
import * as docker from "@pulumi/docker";

const web = new digitalocean.Droplet("web", {
    image: "ubuntu-24-04-x64",
    region: digitalocean.Region.NYC3,
    size: digitalocean.DropletSlug.DropletS2VCPU2GB,
});

const disk = new digitalocean.Volume("disk", {
    region: digitalocean.Region.NYC3,
    size: 100,
    initialFilesystemType: digitalocean.FileSystemType.EXT4,
});

const mx = new digitalocean.DnsRecord("mx", {
    domain: "example.com",
    type: digitalocean.RecordType.MX,
    name: "@",
    priority: 10,
    value: "mail.example.com.",
});

const cert = new digitalocean.Certificate("cert", {
    type: digitalocean.CertificateType.LetsEncrypt,
    domains: ["example.com"],
});

const image = new docker.Image("image", {
    imageName: "registry.example.com/web:latest",
    build: {
        context: ".",
        builderVersion: docker.BuilderVersion.BuilderBuildKit,
        platform: "linux/amd64",
        args: { VERSION: "1" },
        cacheFrom: { images: ["registry.example.com/web:cache"] },
    },
});

const quiet = new command.local.Command("quiet", {
    create: "make secret",
    logging: command.local.Logging.None,
});

const loud = new command.remote.Command("loud", {
    create: "uptime",
    logging: command.remote.Logging.StdoutAndStderr,
    connection: { host: web.ipv4Address },
});

const balancer = new digitalocean.LoadBalancer("balancer", {
    region: digitalocean.Region.NYC3,
    forwardingRules: [
        {
            entryPort: 443,
            entryProtocol: "https",
            targetPort: 80,
            targetProtocol: "http",
            certificateName: cert.name,
        },
    ],
});

export const region = web.region;
export const logging = quiet.logging;
