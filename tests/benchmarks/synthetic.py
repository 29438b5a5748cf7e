"""Synthetic programs of any size, and the schema of their package.

The mix is that of deployments: nested objects, templates over outputs of earlier resources, locals, a few options and
outputs.  References go back at most ten resources, and one in ten goes to the first: wide as well as deep.
"""

from __future__ import annotations

import json
from pathlib import Path

Json = dict[str, object]

_TEXT: Json = {"type": "string"}
_INPUTS: Json = {
    "name": _TEXT,
    "size": {"type": "integer"},
    "enabled": {"type": "boolean"},
    "image": _TEXT,
    "tags": {"type": "object", "additionalProperties": _TEXT},
    "rules": {"type": "array", "items": {"$ref": "#/types/bench:index:Rule"}},
    "tier": {"$ref": "#/types/bench:index:Tier"},
}

_FIELDS: Json = {f"field{index:02}": _TEXT for index in range(10)}
_DEPTHS: Json = {
    f"bench:index:Depth{depth}": {
        "type": "object",
        "properties": {**_FIELDS, **({"inner": {"$ref": f"#/types/bench:index:Depth{depth + 1}"}} if depth < 3 else {})},
    }
    for depth in (1, 2, 3)
}
_WIDE: Json = {
    **{f"text{index:02}": _TEXT for index in range(20)},
    **{f"number{index:02}": {"type": "integer"} for index in range(10)},
    **{f"object{index:02}": {"$ref": "#/types/bench:index:Depth1"} for index in range(10)},
}

SCHEMA: Json = {
    "name": "bench",
    "version": "1.0.0",
    "types": {
        "bench:index:Rule": {
            "type": "object",
            "properties": {"port": {"type": "integer"}, "source": _TEXT, "protocol": _TEXT},
            "required": ["port"],
        },
        "bench:index:Tier": {
            "type": "string",
            "enum": [{"name": "Small", "value": "small"}, {"name": "Big", "value": "big"}],
        },
        **_DEPTHS,
    },
    "resources": {
        "bench:index:Wide": {"inputProperties": _WIDE, "properties": {**_WIDE, "arn": _TEXT}, "required": ["arn"]},
        "bench:index:Server": {
            "inputProperties": _INPUTS,
            "requiredInputs": ["name", "size"],
            "properties": {**_INPUTS, "address": _TEXT, "arn": _TEXT},
            "required": ["name", "size", "address", "arn"],
        }
    },
    "language": {"nodejs": {"packageName": "@pulumi/bench"}, "go": {"importBasePath": "example.com/bench/sdk/go/bench"}},
}


def write_schema(folder: Path) -> Path:
    """Write the schema below `folder`; return the directory for `--schemas`."""
    target = folder / "schemas"
    target.mkdir(parents=True, exist_ok=True)
    (target / "bench-1.0.0.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    return target


def write_program(folder: Path, name: str, source: str) -> Path:
    """Write a program of one file; return its directory."""
    target = folder / name
    target.mkdir(parents=True, exist_ok=True)
    (target / "main.pp").write_text(source, encoding="utf-8")
    return target


def resources(count: int) -> str:
    """A program with `count` resources."""
    parts = ['config prefix string {\n  default = "web"\n}\n', _resource(0, None)]
    for index in range(1, count):
        parts.append(_resource(index, 0 if index % 10 == 0 else index - 1))
        if index % 20 == 0:
            parts.append(f'local{index} = "${{prefix}}-${{server{index}.address}}"\n')
        if index % 50 == 0:
            parts.append(f"output address{index} {{\n  value = local{index - 10 if index % 20 else index}\n}}\n")
    return "\n".join(parts)


def _resource(index: int, before: int | None) -> str:
    image = '"base"' if before is None else f'"image-${{server{before}.arn}}-{index}"'
    options = "\n  options {\n    protect = true\n  }\n" if index % 5 == 0 else ""
    return f"""\
// server number {index}
resource server{index} "bench:index:Server" {{
  name    = "${{prefix}}-{index}"
  size    = {index % 7 + 1}
  enabled = {"true" if index % 3 else "false"}
  image   = {image}
  tier    = "{"small" if index % 2 else "big"}"
  tags = {{
    team  = "platform"
    index = "n{index}"
  }}
  rules = [
    {{ port = 443, source = "10.0.{index % 256}.0/24" }},
    {{ port = {1000 + index % 1000}, protocol = "udp" }},
  ]
{options}}}
"""


def pets(count: int) -> str:
    """A chain of `count` resources of the package random, each with a template over the previous resource."""
    token = '"random:index/randomPet:RandomPet"'
    parts = [f"resource pet0 {token} {{\n  length = 2\n}}\n"]
    for index in range(1, count):
        prefix = f'"${{pet{index - 1}.id}}-{index}"'
        parts.append(f"resource pet{index} {token} {{\n  prefix = {prefix}\n  length = {index % 4 + 1}\n}}\n")
    return "\n".join([*parts, f'output last {{\n  value = "${{pet{count - 1}.id}}!"\n}}\n'])


def conditional_chain(depth: int) -> str:
    """Objects built by nested conditionals, the shape that makes the reference's types explode (pain V23)."""
    lines = ["config flag bool {}", 'a0 = "seed"']
    lines += [f"a{i} = flag ? {{ p{i} = a{i - 1} }} : {{ q{i} = a{i - 1} }}" for i in range(1, depth + 1)]
    return "\n".join([*lines, f"output result {{\n  value = a{depth}\n}}\n"])


def conditional_nest(depth: int) -> str:
    """One expression: conditionals nested in both branches of conditionals."""
    text = '"seed"'
    for index in range(depth):
        text = f'(flag ? {text} : "other {index}")' if index % 2 else f'(flag ? "one {index}" : {text})'
    return f"config flag bool {{}}\n\noutput result {{\n  value = {text}\n}}\n"


def wide(count: int) -> str:
    """`count` resources with 40 inputs each; ten of the inputs are objects nested three deep."""
    return "\n".join(_wide(index) for index in range(count))


def _wide(index: int) -> str:
    lines = [f'  text{field:02}   = "text {field} of {index}"' for field in range(20)]
    lines += [f"  number{field:02} = {index + field}" for field in range(10)]
    arn = f"wide{index - 1}.arn" if index else '"first"'
    for field in range(10):
        inner = f'{{ field00 = "c{field}", field05 = {arn} }}'
        lines += [f"  object{field:02} = {{", f'    field01 = "a{index}"', f'    inner = {{ field02 = "b", inner = {inner} }}', "  }"]
    body = "\n".join(lines)
    return f'resource wide{index} "bench:index:Wide" {{\n{body}\n}}\n'


def templates_of_aws(count: int) -> str:
    """`count` aws launch templates, each with some 40 members, three deep, over the previous template."""
    return "\n".join(_template_of_aws(index) for index in range(count))


def _template_of_aws(index: int) -> str:
    group = f"template{index - 1}.id" if index else '"sg-1"'
    return f"""\
resource template{index} "aws:ec2/launchTemplate:LaunchTemplate" {{
  namePrefix           = "web-{index}-"
  description          = "Template number {index}"
  imageId              = "ami-{index:08}"
  instanceType         = "m5.large"
  keyName              = "key-{index % 7}"
  disableApiStop       = true
  ebsOptimized         = "true"
  updateDefaultVersion = true
  userData             = "dXNlciBkYXRh"
  vpcSecurityGroupIds  = [{group}]
  tags                 = {{ Name = "web-{index}", Team = "platform", Cost = "{index % 9}" }}
  iamInstanceProfile   = {{ name = "profile-{index % 3}" }}
  creditSpecification  = {{ cpuCredits = "standard" }}
  enclaveOptions       = {{ enabled = false }}
  hibernationOptions   = {{ configured = false }}
  maintenanceOptions   = {{ autoRecovery = "default" }}
  monitoring           = {{ enabled = true }}
  cpuOptions           = {{ coreCount = 2, threadsPerCore = 2 }}
  metadataOptions      = {{ httpEndpoint = "enabled", httpTokens = "required", httpPutResponseHopLimit = 1 }}
  placement            = {{ availabilityZone = "eu-central-1a", tenancy = "default", partitionNumber = {index % 5} }}
  instanceMarketOptions = {{
    marketType  = "spot"
    spotOptions = {{ maxPrice = "0.{index % 10}", spotInstanceType = "one-time" }}
  }}
  blockDeviceMappings = [
    {{ deviceName = "/dev/sda1", ebs = {{ volumeSize = {20 + index % 80}, volumeType = "gp3", encrypted = "true" }} }},
    {{ deviceName = "/dev/sdb", ebs = {{ volumeSize = 100, deleteOnTermination = "true", iops = 3000 }} }},
  ]
  networkInterfaces = [{{
    deviceIndex              = 0
    associatePublicIpAddress = "false"
    securityGroups           = [{group}]
    enaSrdSpecification      = {{ enaSrdEnabled = true, enaSrdUdpSpecification = {{ enaSrdUdpEnabled = true }} }}
  }}]
  tagSpecifications = [{{ resourceType = "instance", tags = {{ Name = "web-{index}" }} }}]
}}
"""


def locals_and_conditionals(count: int) -> str:
    """`count` locals, every other a conditional, over a resource and each other; every tenth has an output."""
    parts = ["config large bool {\n  default = false\n}\n", _resource(0, None).replace("${prefix}", "web")]
    for index in range(count):
        before = f"local{index - 1}" if index else '"seed"'
        if index % 2:
            parts.append(f'local{index} = large ? "${{{before}}}-large" : "plain-{index}"')
        else:
            parts.append(f'local{index} = "${{server0.arn}}/{index}"')
        if index % 10 == 9:
            parts.append(f"\noutput out{index} {{\n  value = local{index}\n}}\n")
    return "\n".join(parts) + "\n"


def write_components(folder: Path, name: str, count: int) -> Path:
    """Write a program that uses a component of five resources `count` times; return its directory."""
    inner = '\nconfig prefix string {}\n' + resources(5).split("}\n", 1)[1]
    write_program(folder / name, "server", inner + "\noutput address {\n  value = server4.address\n}\n")
    uses = [
        f'component part{index} "./server" {{\n  prefix = "{f"${{part{index - 1}.address}}" if index else "web"}"\n}}\n'
        for index in range(count)
    ]
    return write_program(folder, name, "\n".join(uses))
