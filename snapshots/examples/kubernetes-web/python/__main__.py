# A web server: its configuration, the deployment, a service in front of it, and more copies when it is busy.

import pulumi
import pulumi_kubernetes as kubernetes

config = pulumi.Config()

# The image of the web server.
image = config.get("image", "nginx:1.27")

# How many copies run at least.
replicas = config.get_int("replicas", 2)

# Whether a load balancer of the cloud stands in front.
public = config.get_bool("public", False)

labels = {"app.kubernetes.io/name": "web", "app.kubernetes.io/managed-by": "pulumi"}

settings = kubernetes.core.v1.ConfigMap(
    "settings",
    metadata={"labels": labels},
    data={"default.conf": """\
server {
  listen 8080;
  location /healthz { return 204; }
  location / { root /usr/share/nginx/html; }
}
"""},
)

web = kubernetes.apps.v1.Deployment(
    "web",
    metadata={"labels": labels, "annotations": {"pulumi.com/skipAwait": "false"}},
    spec={
        "replicas": replicas,
        "selector": {"match_labels": labels},
        "strategy": {
            "type": "RollingUpdate",
            "rolling_update": {"max_surge": 1, "max_unavailable": "25%"},
        },
        "template": {
            "metadata": {"labels": labels},
            "spec": {
                "containers": [
                    {
                        "name": "web",
                        "image": image,
                        "ports": [{"name": "http", "container_port": 8080}],
                        "resources": {
                            "requests": {"cpu": "50m", "memory": "64Mi"},
                            "limits": {"memory": "128Mi"},
                        },
                        "readiness_probe": {
                            "http_get": {"path": "/healthz", "port": "http"},
                            "period_seconds": 5,
                        },
                        "liveness_probe": {
                            "tcp_socket": {"port": 8080},
                            "initial_delay_seconds": 10,
                        },
                        "volume_mounts": [
                            {
                                "name": "settings",
                                "mount_path": "/etc/nginx/conf.d",
                                "read_only": True,
                            }
                        ],
                    }
                ],
                "volumes": [
                    {"name": "settings", "config_map": {"name": settings.metadata.name}}
                ],
            },
        },
    },
)

front = kubernetes.core.v1.Service(
    "front",
    metadata={"labels": web.metadata.labels},
    spec={
        "type": (
            kubernetes.core.v1.ServiceSpecType.LOAD_BALANCER
            if public
            else kubernetes.core.v1.ServiceSpecType.CLUSTER_IP
        ),
        "selector": labels,
        "ports": [{"name": "http", "port": 80, "target_port": "http"}],
    },
)

scaling = kubernetes.autoscaling.v2.HorizontalPodAutoscaler(
    "scaling",
    spec={
        "min_replicas": replicas,
        "max_replicas": 10 * replicas,
        "scale_target_ref": {
            "api_version": web.api_version,
            "kind": web.kind,
            "name": web.metadata.name,
        },
        "metrics": [
            {
                "type": "Resource",
                "resource": {
                    "name": "cpu",
                    "target": {"type": "Utilization", "average_utilization": 70},
                },
            }
        ],
    },
)

pulumi.export(
    "address",
    front.status.load_balancer.ingress[0].hostname if public else front.spec.cluster_ip,
)

pulumi.export("deployment", web.metadata.name)
