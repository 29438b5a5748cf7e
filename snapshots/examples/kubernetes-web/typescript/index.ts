// A web server: its configuration, the deployment, a service in front of it, and more copies when it is busy.

import * as pulumi from "@pulumi/pulumi";
import * as kubernetes from "@pulumi/kubernetes";

const config = new pulumi.Config();

// The image of the web server.
const image = config.get("image") ?? "nginx:1.27";

// How many copies run at least.
const replicas = config.getNumber("replicas") ?? 2;

// Whether a load balancer of the cloud stands in front.
const _public = config.getBoolean("public") ?? false;

const labels = {
    "app.kubernetes.io/name": "web",
    "app.kubernetes.io/managed-by": "pulumi",
};

const settings = new kubernetes.core.v1.ConfigMap("settings", {
    metadata: { labels },
    data: {
        "default.conf": `server {
  listen 8080;
  location /healthz { return 204; }
  location / { root /usr/share/nginx/html; }
}
`,
    },
});

const web = new kubernetes.apps.v1.Deployment("web", {
    metadata: {
        labels,
        annotations: { "pulumi.com/skipAwait": "false" },
    },
    spec: {
        replicas,
        selector: { matchLabels: labels },
        strategy: {
            type: "RollingUpdate",
            rollingUpdate: {
                maxSurge: 1,
                maxUnavailable: "25%",
            },
        },
        template: {
            metadata: { labels },
            spec: {
                containers: [
                    {
                        name: "web",
                        image,
                        ports: [{ name: "http", containerPort: 8080 }],
                        resources: {
                            requests: { cpu: "50m", memory: "64Mi" },
                            limits: { memory: "128Mi" },
                        },
                        readinessProbe: {
                            httpGet: {
                                path: "/healthz",
                                port: "http",
                            },
                            periodSeconds: 5,
                        },
                        livenessProbe: {
                            tcpSocket: { port: 8080 },
                            initialDelaySeconds: 10,
                        },
                        volumeMounts: [
                            {
                                name: "settings",
                                mountPath: "/etc/nginx/conf.d",
                                readOnly: true,
                            },
                        ],
                    },
                ],
                volumes: [
                    {
                        name: "settings",
                        configMap: { name: settings.metadata.name },
                    },
                ],
            },
        },
    },
});

const front = new kubernetes.core.v1.Service("front", {
    metadata: { labels: web.metadata.labels },
    spec: {
        type: _public ? "LoadBalancer" : "ClusterIP",
        selector: labels,
        ports: [{ name: "http", port: 80, targetPort: "http" }],
    },
});

const scaling = new kubernetes.autoscaling.v2.HorizontalPodAutoscaler(
    "scaling",
    {
        spec: {
            minReplicas: replicas,
            maxReplicas: 10 * replicas,
            scaleTargetRef: {
                apiVersion: web.apiVersion,
                kind: web.kind,
                name: web.metadata.name,
            },
            metrics: [
                {
                    type: "Resource",
                    resource: {
                        name: "cpu",
                        target: {
                            type: "Utilization",
                            averageUtilization: 70,
                        },
                    },
                },
            ],
        },
    },
);

export const address = _public
    ? front.status.loadBalancer.ingress[0].hostname
    : front.spec.clusterIP;

export const deployment = web.metadata.name;
