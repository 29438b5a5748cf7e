"""The runs of the field corpus and of `examples/`: configuration, other stacks, and answers of providers.

Most programs need nothing.  Where a program needs more than samples of the right types (a key of a map, a number in an
id), the table below has the answer of a provider.
"""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

from pclgen.evaluate.models import CreateRequest, EchoModel, FunctionRequest, ResourceAnswer
from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.trace.model import UNKNOWN, Properties, Secret
from pclgen.verify.subjects import Subject

CONFIG: Mapping[str, Mapping[str, str]] = {
    "01-config-every-type": {"network": '{"name": "main", "cidr": "10.0.0.0/16", "private": true}'},
    "02-config-optional-and-secret": {"dbPassword": "hunter2", "apiKeys": '{"main": "k1", "ci": "k2"}'},
    "19-explicit-providers-and-versions": {"euToken": "t0ken"},
    "27-secrets-and-stack-info": {"licenseKey": "key-1"},
    "29-unions-and-any-values": {"anything": '{"some": {"path": "here"}}'},
    "34-component-with-providers": {"token": "t0ken"},
    "aws-database": {
        "password": "hunter2",
        "subnetIds": '["subnet-1", "subnet-2"]',
        "vpcId": "vpc-1",
        "alarmAddress": "on-call@example.com",
    },
    "aws-static-site": {"domain": "example.com"},
    "aws-web-service": {"apiKey": "key-1"},
    "kubernetes-cron": {"password": "hunter2"},
    "kubernetes-database": {"password": "hunter2"},
    "kubernetes-ingress": {"domain": "example.com", "certificate": "cert", "privateKey": "key"},
    "kubernetes-teams": {"kubeconfig": "{}"},
    "pets": {"owner": "maria"},
    "web-service": {"domain": "example.com", "licenceKey": "key-1"},
}
"""Values without a default, by program."""

STACKS: Mapping[str, Properties] = {
    "acme/network/prod": {"vpcId": "vpc-1", "subnets": ("a", "b"), "token": Secret("s3cret")},
}

NUMBERED = ("digitalocean:index/droplet:Droplet",)
"""Types whose ids are numbers."""

OUTPUTS: Mapping[str, Properties] = {
    "docker:index/network:Network": {"options": {"com.docker.network.bridge.name": "br0"}},
}
"""Outputs, by type, whose members programs use."""

RESULTS: Mapping[str, Properties] = {
    "std:index:csvdecode": {"result": ({"name": "web", "port": "80"},)},
    "std:index:jsondecode": {"result": {"a": {"b": (1, 2)}}},
    "pulumi:providers:digitalocean/terraformConfig": {"result": {"token": "t0ken"}},
}
"""Results of functions whose members programs use."""


class FieldModel(EchoModel):
    """The echo model, with the tables above."""

    def create(self, request: CreateRequest) -> ResourceAnswer:
        """The echo, with the id and the outputs of the tables."""
        answer = super().create(request)
        is_known = not request.deployment.preview
        resource_id = answer.id
        if request.type in NUMBERED and not request.import_id:
            resource_id = str(crc32(request.name.encode())) if is_known else UNKNOWN
        outputs = {**answer.outputs, **OUTPUTS.get(request.type, {})} if is_known else answer.outputs
        return ResourceAnswer(id=resource_id, outputs=outputs)

    def invoke(self, request: FunctionRequest) -> Properties:
        """The result of the table, or a sample."""
        return RESULTS.get(request.token) or super().invoke(request)


def settings_of(subject: Subject) -> Settings:
    """The settings to run a program of the field corpus or of `examples/`."""
    values = CONFIG.get(subject.name, {})
    return Settings(
        stack="dev",
        organization="acme",
        config={f"{subject.name}:{key}": ConfigValue(text) for key, text in values.items()},
        stacks=STACKS,
        default_model=FieldModel(subject.program.packages),
    )
