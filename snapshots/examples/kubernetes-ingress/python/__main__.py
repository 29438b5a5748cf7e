# One entrance for several services, with its certificate.

from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

import pulumi
import pulumi_kubernetes as kubernetes


def require_members(value: Any, place: str, *names: str) -> None:
    """Fail if an object lacks a required member."""
    for name in names:
        if value is not None and value.get(name) is None:
            raise ValueError(f"{place}.{name} is not set")


def try_(*attempts: Callable[[], Any]) -> Any:
    """The result of the first attempt that does not raise an error."""
    for attempt in attempts[:-1]:
        with suppress(Exception):
            return attempt()
    return attempts[-1]()


config = pulumi.Config()

# The domain of all services.
domain = config.require("domain")

# The services by name.
services = config.get_object(
    "services",
    {
        "shop": {"path": "/", "image": "registry.example.com/shop:4", "port": 3000},
        "api": {"path": "/api", "image": "registry.example.com/api:17", "port": 8080},
    },
)
for key, service in sorted(services.items()):
    require_members(service, f"main.pp:7:8: services.{key}", "path", "image", "port")

# The certificate of the domain, in PEM.
certificate = config.require("certificate")

# The key of the certificate, in PEM.
private_key = config.require_secret("privateKey")

workload = {
    key: kubernetes.apps.v1.Deployment(
        f"workload-{key}",
        metadata={"name": key},
        spec={
            "selector": {"match_labels": {"app": key}},
            "template": {
                "metadata": {"labels": {"app": key}},
                "spec": {
                    "containers": [
                        {
                            "name": key,
                            "image": service["image"],
                            "ports": [{"container_port": service["port"]}],
                            "security_context": {
                                "run_as_non_root": True,
                                "allow_privilege_escalation": False,
                                "capabilities": {"drop": ["ALL"]},
                            },
                        }
                    ]
                },
            },
        },
    )
    for key, service in sorted(services.items())
}

endpoint = {
    key: kubernetes.core.v1.Service(
        f"endpoint-{key}",
        metadata={"name": key},
        spec={
            "selector": {"app": key},
            "ports": [{"port": 80, "target_port": service["port"], "protocol": "TCP"}],
        },
    )
    for key, service in sorted(services.items())
}

pair = kubernetes.core.v1.Secret(
    "pair",
    type="kubernetes.io/tls",
    string_data={"tls.crt": certificate, "tls.key": private_key},
)

entrance = kubernetes.networking.v1.Ingress(
    "entrance",
    metadata={"annotations": {"nginx.ingress.kubernetes.io/ssl-redirect": "true"}},
    spec={
        "ingress_class_name": "nginx",
        "tls": [{"hosts": [domain], "secret_name": pair.metadata.name}],
        "rules": [
            {
                "host": domain,
                "http": {
                    "paths": [
                        {
                            "path": service["path"],
                            "path_type": "Prefix",
                            "backend": {
                                "service": {"name": name, "port": {"number": 80}}
                            },
                        }
                        for name, service in sorted(services.items())
                    ]
                },
            }
        ],
    },
    opts=pulumi.ResourceOptions(depends_on=[*endpoint.values()]),
)

pulumi.export("url", f"https://{domain}/")

pulumi.export(
    "address",
    entrance.status.apply(
        lambda status: try_(
            lambda: cast(Any, status).load_balancer.ingress[0].ip, lambda: "pending"
        )
    ),
)
