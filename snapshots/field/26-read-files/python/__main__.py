import base64
import hashlib
import os
from pathlib import Path
from typing import Any

import pulumi
import pulumi_digitalocean as digitalocean
import pulumi_docker as docker


def require_value(value: Any, problem: str) -> Any:
    """The value, which must be set."""
    if value is None:
        raise ValueError(problem)
    return value


user_data = Path("user-data.sh").read_text(encoding="utf-8")
cert = base64.b64encode(Path("cert.pem").read_bytes()).decode()

host = digitalocean.Droplet(
    "host",
    image="debian-12-x64",
    size=digitalocean.DropletSlug.DROPLET_S1_VCPU1_GB,
    region=digitalocean.Region.TOR1,
    user_data=user_data,
)

uploads = docker.Container(
    "uploads",
    image="nginx:1.27",
    uploads=[
        {
            "file": "/etc/nginx/conf.d/default.conf",
            "content": Path("./nginx.conf").read_text(encoding="utf-8"),
        },
        {
            "file": "/etc/ssl/cert.pem",
            "content_base64": cert,
            "source_hash": base64.b64encode(
                hashlib.sha256(Path("cert.pem").read_bytes()).digest()
            ).decode(),
        },
    ],
)

config = docker.ServiceConfig(
    "config",
    name=f"nginx-{hashlib.sha1(Path('nginx.conf').read_text(encoding='utf-8').encode()).hexdigest()}",
    data=base64.b64encode(
        Path("nginx.conf").read_text(encoding="utf-8").encode()
    ).decode(),
)

pulumi.export(
    "decoded",
    config.data.apply(
        lambda data: base64.b64decode(
            require_value(data, "main.pp:32:22: config.data is not set")
        ).decode()
    ),
)

pulumi.export("where", f"{os.getcwd()}/{pulumi.get_root_directory()}")
