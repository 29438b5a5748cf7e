"""Language settings that Python SDKs do not contain: names and layout of the SDKs of other languages.

Published SDKs follow rules (ecosystem 2.1); `EXCEPTIONS` lists the others. A project's own settings (`languages` in the
configuration) override both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

from pclgen.schema.document import MetaSpec
from pclgen.schema.recovery.folders import Installation
from pclgen.schema.recovery.layout import INPUTS, Layout
from pclgen.schema.recovery.text import listed_names

Settings: TypeAlias = Mapping[str, Mapping[str, object]]
"""Language settings of a package, by language: `{"go": {"importBasePath": "…"}}`."""

BRIDGED_MODULES = "(.*)(?:/[^/]*)"
"""`meta.moduleFormat` of packages made by the Terraform bridge."""

EXCEPTIONS: Mapping[str, Settings] = {
    "aws-native": {"go": {"importBasePath": "github.com/pulumi/pulumi-aws-native/sdk/go/aws"}},
    "azure-native": {
        "go": {
            "importBasePath": "github.com/pulumi/pulumi-azure-native-sdk{/major}",
            "importPathPattern": "github.com/pulumi/pulumi-azure-native-sdk/{module}{/major}",
            "rootPackageName": "pulumiazurenativesdk",
            "generateResourceContainerTypes": False,
            "disableInputTypeRegistrations": True,
        },
    },
    "google-native": {"go": {"importBasePath": "github.com/pulumi/pulumi-google-native/sdk/go/google"}},
    "kubernetes": {
        "nodejs": {"compatibility": "kubernetes20"},
        "python": {"compatibility": "kubernetes20"},
    },
}
"""Settings that differ from the rules, by package; `{/major}` stands for what a Go module of the version ends in: `/v3`, or
nothing before 2."""

TEXTS_OR_CLASSES: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "aws": {
        "aws:cloudwatch/metricAlarm:MetricAlarm": {
            "alarmActions": "aws:sns/topic:Topic",
            "insufficientDataActions": "aws:sns/topic:Topic",
            "okActions": "aws:sns/topic:Topic",
        },
        "aws:iam/policyAttachment:PolicyAttachment": {
            "groups": "aws:iam/group:Group",
            "roles": "aws:iam/role:Role",
            "users": "aws:iam/user:User",
        },
    },
}
"""Lists in the arguments of resources whose elements are a text or a class, for which Python says text; by package and
resource.  Go's SDK takes a `pulumi.Array` there and refuses a `pulumi.StringArray`.  (Single values need no entry: what is
a text for Python fits either type of Go.)"""

WITHOUT_EMPTY_INPUTS = frozenset({"aws-native", "azure-native", "kubernetes"})
"""Packages not made by the bridge whose functions without parameters take no (empty) argument."""


def meta_of(layout: Layout) -> MetaSpec:
    """`meta` of the schema."""
    return MetaSpec(module_format=BRIDGED_MODULES if layout.is_bridged else "")


def repository_of(installation: Installation) -> str:
    """The address of the package's sources, which stands in the wheel; "" when it does not."""
    for entry in installation.metadata("Project-URL"):
        label, _, address = entry.partition(", ")
        if label.casefold() in ("repository", "source", "source code"):
            return address.strip()
    return ""


def texts_or_classes(package: str, resource: str) -> Mapping[str, str]:
    """Of a resource's arguments, the lists whose elements Python knows too little of, with the name of the class."""
    return TEXTS_OR_CLASSES.get(package, {}).get(resource, {})


def namespace_of(installation: Installation) -> str:
    """The namespace of a package that is not in `pulumi`'s: `pulumiverse` for `pulumiverse_time`."""
    suffix = "_" + installation.name.replace("-", "_")
    prefix = installation.import_name.removesuffix(suffix)
    return "" if prefix in ("pulumi", installation.import_name) else prefix


def has_empty_inputs(layout: Layout) -> bool:
    """Whether functions without parameters take an empty argument all the same, which Python does not show."""
    return not layout.is_bridged and layout.installation.name not in WITHOUT_EMPTY_INPUTS


def languages_of(layout: Layout) -> dict[str, dict[str, object] | None]:
    """The `language` section: the rules, and over them what `EXCEPTIONS` says."""
    languages = {"python": _python(layout), "nodejs": _nodejs(layout), "go": _go(layout)}
    for language, settings in EXCEPTIONS.get(layout.installation.name, {}).items():
        languages.setdefault(language, {}).update(settings)
    major = _major_folder(layout.installation)
    return {
        language: {
            key: value.replace("{/major}", major) if isinstance(value, str) else value for key, value in settings.items()
        }
        for language, settings in languages.items()
    }


def _python(layout: Layout) -> dict[str, object]:
    installation = layout.installation
    settings: dict[str, object] = {"respectSchemaVersion": True, "pyproject": {"enabled": True}}
    usual = f"{namespace_of(installation) or 'pulumi'}_{installation.name.replace('-', '_')}"
    if installation.import_name != usual:
        settings["packageName"] = installation.import_name
    if layout.is_bridged:
        settings["compatibility"] = "tfbridge20"
    if not _has_dict_types(layout):
        settings["inputTypes"] = "classes"
    renamed = _renamed_modules(layout)
    if renamed:
        settings["moduleNameOverrides"] = renamed
    if layout.lifts_single_results:
        settings["liftSingleValueMethodReturns"] = True
    return settings


def _nodejs(layout: Layout) -> dict[str, object]:
    settings: dict[str, object] = {"respectSchemaVersion": True}
    if layout.is_bridged:
        settings["compatibility"] = "tfbridge20"
        settings["disableUnionOutputTypes"] = True
    renamed = _renamed_modules(layout)
    if renamed:
        settings["moduleToPackage"] = renamed
    if layout.lifts_single_results:
        settings["liftSingleValueMethodReturns"] = True
    return settings


def _go(layout: Layout) -> dict[str, object]:
    installation = layout.installation
    base = _go_base(installation)
    settings: dict[str, object] = {"generateResourceContainerTypes": True, "respectSchemaVersion": True}
    if base:
        settings["importBasePath"] = base
    if layout.is_bridged:
        settings["generateExtraInputTypes"] = True
    renamed = _renamed_modules(layout)
    if renamed:
        settings["moduleToPackage"] = renamed
    aliases = {
        f"{base}/{'/'.join(module)}": "".join(module)
        for module in layout.modules
        # The last part of the path names the Go package, and there are many called v1.
        if base and len(module) > 1 and re.fullmatch(r"v\d+\w*", module[-1])
    }
    if aliases:
        settings["packageImportAliases"] = aliases
    if layout.lifts_single_results:
        settings["liftSingleValueMethodReturns"] = True
    return settings


def _go_base(installation: Installation) -> str:
    """The path of the root Go package: `github.com/pulumi/pulumi-aws/sdk/v7/go/aws`.

    SDKs that are made on the spot from a Terraform provider have one of their own, in a module above it; for others that
    are made by a parameter, Go's own rule is right (""), as their schemas say nothing.
    """
    name, major = installation.name.replace("-", ""), _major_folder(installation)
    if installation.base is not None:
        provider = "github.com/pulumi/pulumi-terraform-provider"
        made = f"{provider}/sdks/go/{installation.name}{major}/{name}"
        return made if installation.base.name == "terraform-provider" else ""
    owner = namespace_of(installation) or "pulumi"
    home = repository_of(installation) or f"https://github.com/{owner}/pulumi-{installation.name}"
    path = re.sub(r"^[a-z+]+://", "", home).rstrip("/").removesuffix(".git")
    return f"{path}/sdk{major}/go/{name}"


def _major_folder(installation: Installation) -> str:
    """The folder that Go wants for major versions from 2 on: `/v7`; "" before."""
    match = re.match(r"\d+", installation.version)
    major = int(match[0]) if match is not None else 0
    return f"/v{major}" if major > 1 else ""


def _renamed_modules(layout: Layout) -> dict[str, str]:
    """The modules whose folder is not called as they are: `networking.k8s.io/v1` is in `networking/v1`.

    Python alone appends underscores to names that are keywords; that is a rule of its own.
    """
    return {
        name: "/".join(folder)
        for folder, name in sorted(layout.schema_modules.items())
        if name != "index" and name.lower() != "/".join(part.rstrip("_") for part in folder)
    }


def _has_dict_types(layout: Layout) -> bool:
    """Whether object types may be given as dicts: then every argument class has a dict beside it."""
    for module, files in layout.modules.items():
        if INPUTS in files:
            names = listed_names(layout.folder(module) / INPUTS)
            if names:
                return any(name.endswith("ArgsDict") for name in names)
    return True
