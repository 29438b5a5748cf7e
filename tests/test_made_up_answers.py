"""Answers that only pclgen invents: everything they refer to exists.

They are the same in the evaluator and in the runs of generated programs in Python, TypeScript and Go (on generated SDKs), in
previews and in updates.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.sdks.runs import SNAPSHOT_OF
from tests.support.sdks.trials import generated, run_failures, write_schemas


def _ref(token: str) -> dict[str, Any]:
    return {"$ref": f"#/resources/{token}"}


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list_of(of: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": of}


def _map_of(of: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": of}


TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
NETWORKS = _list_of({"$ref": "#/types/kit:index:Network"})
PART = _ref("kit:index:Part")
BOX = _ref("kit:index:Box")


def _arguments(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {"__self__": BOX, **properties}, "required": ["__self__"]}


FILES: Mapping[str, Any] = {"asset": {"$ref": "pulumi.json#/Asset"}, "archive": {"$ref": "pulumi.json#/Archive"}}
OF_BOX = _arguments()

METHODS: Mapping[str, Mapping[str, Any]] = {
    "text": {
        "inputs": _arguments(style=TEXT, part=PART),
        "outputs": _object(text=TEXT),
    },
    "one": {"inputs": _arguments(style=TEXT), "outputs": _object(part=PART)},
    "many": {"inputs": OF_BOX, "outputs": _object(parts=_list_of(PART), table=_map_of(PART))},
    "inside": {"inputs": OF_BOX, "outputs": _object(holder={"$ref": "#/types/kit:index:Holder"})},
    "lid": {"inputs": OF_BOX, "outputs": _object(lid=_ref("kit:index:Lid"))},
    "values": {
        "inputs": OF_BOX,
        "outputs": _object(
            count={"type": "integer"},
            share={"type": "number"},
            on={"type": "boolean"},
            names=_list_of(TEXT),
            sizes=_map_of({"type": "integer"}),
            kind={"$ref": "#/types/kit:index:Kind"},
            free={"$ref": "pulumi.json#/Any"},
        ),
    },
    "files": {
        "inputs": OF_BOX,
        "outputs": _object(
            asset={"$ref": "pulumi.json#/Asset"},
            archive={"$ref": "pulumi.json#/Archive"},
            parts=_list_of({"$ref": "pulumi.json#/Asset"}),
        ),
    },
    "away": {
        "inputs": OF_BOX,
        "outputs": _object(thing={"$ref": "/other/v1.3.4/schema.json#/resources/other:index:Thing"}),
    },
}
ACCESSES = _list_of({"$ref": "#/types/kit:index:Access"})
KIT = {
    "name": "kit",
    "version": "1.2.3",
    "types": {
        "kit:index:Holder": _object(part=PART, label=TEXT),
        "kit:index:Access": {"type": "object", "properties": {"natIp": TEXT, "tier": TEXT}},
        "kit:index:Site": {
            "type": "object",
            "properties": {"key": TEXT, "tier": {"type": "string", "default": "small"}},
        },
        "kit:index:Hosting": {"type": "object", "properties": {"site": {"$ref": "#/types/kit:index:Site"}, "label": TEXT}},
        "kit:index:Network": {
            "type": "object",
            "properties": {"name": TEXT, "access": ACCESSES, "nodes": ACCESSES, "spare": ACCESSES},
            "language": {"nodejs": {"requiredOutputs": ["name", "nodes"]}},
        },
        "kit:index:Kind": {"type": "string", "enum": [{"value": "small"}, {"value": "large"}]},
    },
    "resources": {
        "kit:index:Part": {
            "properties": {"arn": TEXT, "size": {"type": "integer"}},
            "required": ["arn"],
            "inputProperties": {"size": {"type": "integer"}, "label": TEXT, "kind": {"$ref": "#/types/kit:index:Kind"}},
        },
        "kit:index:Machine": {
            "properties": {"networks": NETWORKS, "port": TEXT, "on": TEXT},
            "required": ["port", "on"],
            "inputProperties": {"networks": NETWORKS},
        },
        "kit:index:Balancer": {
            "properties": {"machines": _list_of(NUMBER), "ports": _map_of(NUMBER), "on": {"type": "boolean"}},
            "inputProperties": {"machines": _list_of(NUMBER), "ports": _map_of(NUMBER), "on": {"type": "boolean"}},
        },
        "kit:index:Renamed": {
            "aliases": [{"type": "kit:index:Former"}],
            "properties": {"arn": {**TEXT, "replaceOnChanges": True}},
            "inputProperties": {"arn": TEXT},
        },
        "kit:index:Host": {"inputProperties": {"hosting": {"$ref": "#/types/kit:index:Hosting"}}},
        "kit:index:Upload": {
            "properties": FILES,
            "required": list(FILES),
            "inputProperties": {**FILES, "label": TEXT},
        },
        "kit:index:Lid": {"isComponent": True, "properties": {"label": TEXT}, "required": ["label"]},
        "kit:index:Box": {
            "isComponent": True,
            "properties": {"part": PART},
            "required": ["part"],
            "methods": {name: f"kit:index:Box/{name}" for name in METHODS},
        },
    },
    "functions": {
        **{f"kit:index:Box/{name}": method for name, method in METHODS.items()},
        "kit:index:getFiles": {"outputs": {"type": "object", "properties": FILES, "required": list(FILES)}},
    },
    "provider": {"inputProperties": {"access": {"$ref": "#/types/kit:index:Access"}, "networks": NETWORKS}},
    "language": {"go": {"importBasePath": "example.com/kit/sdk/go/kit", "generateResourceContainerTypes": True}},
}
OTHER = {
    "name": "other",
    "version": "1.3.4",
    "resources": {"other:index:Thing": {"properties": {"arn": TEXT}, "required": ["arn"]}},
    "language": {"go": {"importBasePath": "example.com/other/sdk/go/other"}},
}

PROGRAMS: Mapping[str, str | Mapping[str, str]] = {
    "a resource": """
        resource box "kit:index:Box" {}
        resource next "kit:index:Part" { label = call(box, "one", {}).part.arn }
        output id { value = call(box, "one", { style = next.arn }).part.id }
    """,
    "asked twice": """
        resource box "kit:index:Box" {}
        output first { value = call(box, "one", { style = "a" }).part.arn }
        output second { value = call(box, "one", { style = "b" }).part.arn }
        output own { value = box.part.arn }
    """,
    "a secret argument, and a resource": """
        config word string {
          secret  = true
          default = "w"
        }
        resource box "kit:index:Box" {}
        resource own "kit:index:Part" {}
        resource next "kit:index:Part" { label = call(box, "text", { style = word, part = own }).text }
        resource last "kit:index:Part" { label = call(box, "text", { style = own.arn }).text }
    """,
    "nobody asks": 'resource box "kit:index:Box" {}',
    "lists and maps": """
        resource box "kit:index:Box" {}
        found = call(box, "many", {})
        output all { value = [for part in found.parts : part.arn] }
        output named { value = found.table["key"].arn }
        resource next "kit:index:Part" { label = found.parts[0].arn }
    """,
    "inside of an object": """
        resource box "kit:index:Box" {}
        output text { value = "${call(box, "inside", {}).holder.label} ${call(box, "inside", {}).holder.part.arn}" }
    """,
    "another component": """
        resource box "kit:index:Box" {}
        resource next "kit:index:Part" {
          label = "x"
          options { dependsOn = [box] }
        }
        output urn { value = call(box, "lid", {}).lid.urn }
        output label { value = call(box, "lid", {}).lid.label }
    """,
    "values of all types": """
        resource box "kit:index:Box" {}
        found = call(box, "values", {})
        resource next "kit:index:Part" {
          size  = found.count
          label = found.kind
          kind  = found.kind
        }
        output o {
          value = [found.count + 1, found.share * 2, !found.on, found.names[0], found.sizes["key"], "${found.kind}", found.free]
        }
    """,
    "files": """
        resource box "kit:index:Box" {}
        found = call(box, "files", {})
        read  = invoke("kit:index:getFiles", {})
        resource a "kit:index:Upload" {
          asset = found.asset
          archive = found.archive
        }
        resource b "kit:index:Upload" {
          asset = found.parts[0]
          archive = read.archive
        }
        resource c "kit:index:Upload" {
          asset = a.asset
          archive = b.archive
        }
        resource d "kit:index:Upload" { asset = read.asset }
        resource e "kit:index:Upload" { label = "none" }
        resource f "kit:index:Upload" {
          asset = e.asset
          archive = e.archive
        }
    """,
    "computed inside of an input": """
        resource vm "kit:index:Machine" { networks = [{ name = "n", access = [{ tier = "t" }] }] }
        resource next "kit:index:Part" { label = vm.networks[0].access[0].natIp }
        output ip { value = vm.networks[0].access[0].natIp }
        output tier { value = "${vm.networks[0].name} ${vm.networks[0].access[0].tier}" }
        output ips { value = [for node in vm.networks[0].nodes : node.natIp] }
        output spares { value = try(length(vm.networks[0].spare), 0) }
    """,
    "ids and texts that are read as numbers": """
        resource vm "kit:index:Machine" {}
        resource more "kit:index:Machine" {
          options { range = 2 }
        }
        ids = [for one in more : one.id]
        resource first "kit:index:Balancer" {
          machines = [vm.id]
          ports    = { a = vm.port }
          on       = vm.on
        }
        resource second "kit:index:Balancer" { machines = ids }
        output id { value = vm.id }
    """,
    "whole resources": """
        resource part "kit:index:Part" { label = "l" }
        resource many "kit:index:Part" {
          options { range = 2 }
        }
        output whole { value = part }
        output list { value = many }
        output inside { value = { part = part } }
    """,
    "an object with defaults that is secret or unknown in part": """
        config word string {
          secret  = true
          default = "w"
        }
        resource part "kit:index:Part" {}
        resource secret "kit:index:Host" { hosting = { label = "l", site = { key = word } } }
        resource unknown "kit:index:Host" { hosting = { label = part.arn, site = { key = "k", tier = "large" } } }
        resource known "kit:index:Host" { hosting = { label = "l" } }
    """,
    "lists and maps of outputs that an SDK has no lists and maps of": {
        "main.pp": """
            component "vms" "./vm" {
              options { range = { a = "x", b = "y" } }
              name = range.key
            }
            component "all" "./all" {}
            lists = [for k, v in vms : v.ips]
            named = { for k, v in vms : k => v.ips }
            maps  = { for k, v in vms : k => { for j, w in vms : j => [for ip in w.ips : [ip, v.first]] } }
            three = [for k, v in vms : [for j, w in vms : [v.port, w.port]]]
            resource part "kit:index:Part" { label = named["a"][0] }
            resource many "kit:index:Part" {
              options { range = vms }
              label = maps[range.key]["b"][0][1]
            }
            output lists { value = lists }
            output first { value = lists[0][0] }
            output lengths { value = [for ips in lists : length(ips)] }
            output choices { value = [for ips in lists : [for ip in ips : ip == null ? "none" : "some"]] }
            output maps { value = maps }
            output deep { value = maps["a"]["b"][0][0] }
            output three { value = three[0][1][1] }
            output inside { value = { maps = maps, lists = [lists, named] } }
            output lengthOfJson { value = length(split(":", toJSON([lists, maps]))) }
            output same { value = maps == maps }
            output component { value = all.maps["a"]["a"][0] }
            output componentList { value = all.lists }
        """,
        "vm/main.pp": """
            config name string {}
            resource vm "kit:index:Machine" { networks = [{ name = name, access = [{ tier = "t" }] }] }
            output ips { value = [for access in vm.networks[0].access : access.natIp] }
            output first { value = vm.networks[0].access[0].natIp }
            output port { value = vm.port }
        """,
        "all/main.pp": """
            component "vms" "../vm" {
              options { range = { a = "x" } }
              name = range.key
            }
            output maps { value = { for k, v in vms : k => { for j, w in vms : j => [for ip in w.ips : [ip, v.first]] } } }
            output lists { value = [for k, v in vms : v.ips] }
        """,
    },
    "objects in the settings of a provider": """
        config roles "list(object({ natIp = string, tier = optional(string) }))" {
          default = [{ natIp = "a" }, { natIp = "b", tier = "t" }]
        }
        resource part "kit:index:Part" {}
        resource plain "pulumi:providers:kit" {
          access   = { natIp = "1.2.3.4", tier = "t" }
          networks = [{ name = "n", access = [{ natIp = "a" }], nodes = [for role in roles : { natIp = role.natIp, tier = role.tier }] }]
        }
        resource next "kit:index:Part" {
          options { provider = plain }
        }
    """,
    "a look-up of a type that had another name": """
        read old "kit:index:Renamed" { id = "i" }
        resource new "kit:index:Renamed" { arn = old.arn }
    """,
    "of another package": """
        resource box "kit:index:Box" {}
        resource own "other:index:Thing" {}
        output arn { value = call(box, "away", {}).thing.arn }
    """,
}


@pytest.mark.parametrize("language", SNAPSHOT_OF)
def test_runs_are_what_the_evaluator_says(language: str, tmp_path: Path) -> None:
    schemas = write_schemas([KIT, OTHER], tmp_path / "schemas")
    assert run_failures(generated(PROGRAMS, language, schemas, tmp_path), language, schemas, tmp_path) == {}
