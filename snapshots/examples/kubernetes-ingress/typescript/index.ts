// One entrance for several services, with its certificate.

import * as pulumi from "@pulumi/pulumi";
import * as kubernetes from "@pulumi/kubernetes";
import { firstOf, requireMembers, sortedEntries } from "./helpers";

const config = new pulumi.Config();

// The domain of all services.
const domain = config.require("domain");

// The services by name.
const services = requireMembers(
    config.getObject<
        Record<string, { path: string; image: string; port: number }>
    >("services"),
    "main.pp:7:8: services",
    "*/path",
    "*/image",
    "*/port",
) ?? {
    shop: { path: "/", image: "registry.example.com/shop:4", port: 3000 },
    api: { path: "/api", image: "registry.example.com/api:17", port: 8080 },
};

// The certificate of the domain, in PEM.
const certificate = config.require("certificate");

// The key of the certificate, in PEM.
const privateKey = config.requireSecret("privateKey");

const workload: Record<string, kubernetes.apps.v1.Deployment> = {};
for (const [key, service] of sortedEntries(services)) {
    workload[key] = new kubernetes.apps.v1.Deployment(`workload-${key}`, {
        metadata: { name: key },
        spec: {
            selector: { matchLabels: { app: key } },
            template: {
                metadata: { labels: { app: key } },
                spec: {
                    containers: [
                        {
                            name: key,
                            image: service.image,
                            ports: [{ containerPort: service.port }],
                            securityContext: {
                                runAsNonRoot: true,
                                allowPrivilegeEscalation: false,
                                capabilities: { drop: ["ALL"] },
                            },
                        },
                    ],
                },
            },
        },
    });
}

const endpoint: Record<string, kubernetes.core.v1.Service> = {};
for (const [key, service] of sortedEntries(services)) {
    endpoint[key] = new kubernetes.core.v1.Service(`endpoint-${key}`, {
        metadata: { name: key },
        spec: {
            selector: { app: key },
            ports: [{ port: 80, targetPort: service.port, protocol: "TCP" }],
        },
    });
}

const pair = new kubernetes.core.v1.Secret("pair", {
    type: "kubernetes.io/tls",
    stringData: {
        "tls.crt": certificate,
        "tls.key": privateKey,
    },
});

const entrance = new kubernetes.networking.v1.Ingress(
    "entrance",
    {
        metadata: {
            annotations: { "nginx.ingress.kubernetes.io/ssl-redirect": "true" },
        },
        spec: {
            ingressClassName: "nginx",
            tls: [{ hosts: [domain], secretName: pair.metadata.name }],
            rules: [
                {
                    host: domain,
                    http: {
                        paths: sortedEntries(services).map(
                            ([name, service]) => ({
                                path: service.path,
                                pathType: "Prefix",
                                backend: {
                                    service: {
                                        name,
                                        port: { number: 80 },
                                    },
                                },
                            }),
                        ),
                    },
                },
            ],
        },
    },
    { dependsOn: Object.values(endpoint) },
);

export const url = `https://${domain}/`;

export const address = entrance.status.apply((status) =>
    firstOf<string | null>(
        () => status!.loadBalancer!.ingress![0]!.ip ?? null,
        () => "pending",
    ),
);
