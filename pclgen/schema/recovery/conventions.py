"""Language settings that Python SDKs do not contain: names and layout of the SDKs of other languages.

Published SDKs follow rules (ecosystem 2.1); `EXCEPTIONS` lists the others. A project's own settings (`languages` in the
configuration) override both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

from pclgen.schema.document import MetaSpec
from pclgen.schema.recovery.folders import Installation
from pclgen.schema.recovery.layout import INPUTS, Layout, listed_names

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
"""Settings that differ from the rules, by package; `{/major}` represents the suffix of a Go module for the version:
`/v3`, or nothing before 2."""

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
"""Lists in resource arguments whose elements are a string or a class, for which Python has only the string; by package
and resource.

Go's SDK requires a `pulumi.Array` there and rejects a `pulumi.StringArray`. (Single values need no entry: a Python string
fits either type in Go.)
"""

WITHOUT_EMPTY_INPUTS = frozenset({"aws-native", "azure-native", "kubernetes"})
"""Packages not made by the bridge whose functions without parameters take no (empty) argument."""

PUBLISHED: Final = frozenset(
    (
        *("aiven", "akamai", "alicloud", "archive", "artifactory", "astronomer", "auth0", "aws", "aws-apigateway"),
        *("aws-native", "awsx", "azure", "azure-native", "azuread", "azuredevops", "buildkite", "castai"),
        *("checkly", "civo", "cloudamqp", "cloudflare", "cloudinit", "cloudngfwaws", "command", "confluentcloud"),
        *("consul", "databricks", "datadog", "dbtcloud", "digitalocean", "dnsimple", "docker", "docker-build"),
        *("ec", "eks", "equinix", "equinix-metal", "f5bigip", "fastly", "fortios", "gcp", "github", "gitlab"),
        *("google-native", "harness", "hcloud", "http", "kafka", "keycloak", "kong", "kubernetes"),
        *("kubernetes-cert-manager", "kubernetes-coredns", "kubernetes-ingress-nginx", "linode", "local"),
        *("mailgun", "materialize", "minio", "mongodbatlas", "mysql", "newrelic", "nomad"),
        *("ns1", "null", "nutanix", "oci", "okta", "onelogin", "openstack", "opsgenie", "ovh", "pagerduty"),
        *("postgresql", "proxmoxve", "pulumiservice", "rabbitmq", "rancher2"),
        *("random", "rediscloud", "rke", "scaleway", "signalfx", "slack", "snowflake"),
        *("splunk", "spotinst", "std", "sumologic", "synced-folder", "tailscale", "tls", "vault"),
        *("venafi", "volcengine", "volcenginecc", "vsphere", "wavefront", "yandex"),
    )
)
"""Packages whose SDKs are published as `pulumi-NAME`.

Help suggests to install only these: under an invented name, a registry may have any package.
"""


_NPM_INSTALL: Final = re.compile(
    r"\b(?:npm install|npm i|pnpm add|yarn add) (?:-[\w-]+ )*((?:@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*)"
)


def meta_of(layout: Layout) -> MetaSpec:
    """Return `meta` of the schema."""
    return MetaSpec(module_format=BRIDGED_MODULES if layout.is_bridged else "")


def repository_of(installation: Installation) -> str:
    """Return the URL of the package's sources in the wheel; "" without one."""
    for entry in installation.metadata("Project-URL"):
        label, _, address = entry.partition(", ")
        if label.casefold() in ("repository", "source", "source code"):
            return address.strip()
    return ""


def texts_or_classes(package: str, resource: str) -> Mapping[str, str]:
    """Return the lists of a resource's arguments that Python types imprecisely, with the name of the class."""
    return TEXTS_OR_CLASSES.get(package, {}).get(resource, {})


def npm_package_of(installation: Installation) -> str:
    """Return the npm package that the README of the SDK installs: `@equinix-labs/pulumi-equinix`; "" if it names none.

    Of several packages, this is the first one that is called like the Pulumi package.
    """
    names = (installation.name, f"pulumi-{installation.name}")
    packages = (match[1] for match in _NPM_INSTALL.finditer(installation.readme()))
    return next((package for package in packages if package.rpartition("/")[2] in names), "")


def namespace_of(installation: Installation) -> str:
    """Return the namespace of a package outside of `pulumi`'s: `pulumiverse` for `pulumiverse_time`."""
    suffix = "_" + installation.name.replace("-", "_")
    prefix = installation.import_name.removesuffix(suffix)
    return "" if prefix in ("pulumi", installation.import_name) else prefix


def has_empty_inputs(layout: Layout) -> bool:
    """Return whether functions without parameters take an empty argument, which Python does not show."""
    return not layout.is_bridged and layout.installation.name not in WITHOUT_EMPTY_INPUTS


def languages_of(layout: Layout) -> dict[str, dict[str, object] | None]:
    """Return the `language` section: the rules without empty settings, overridden by `EXCEPTIONS`."""
    rules = {"python": _python(layout), "nodejs": _nodejs(layout), "go": _go(layout)}
    languages = {language: {key: value for key, value in own.items() if value} for language, own in rules.items()}
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
    usual = f"{namespace_of(installation) or 'pulumi'}_{installation.name.replace('-', '_')}"
    return {
        "respectSchemaVersion": True,
        "pyproject": {"enabled": True},
        "packageName": installation.import_name if installation.import_name != usual else "",
        "compatibility": "tfbridge20" if layout.is_bridged else "",
        "inputTypes": "" if _has_dict_types(layout) else "classes",
        "moduleNameOverrides": _renamed_modules(layout),
        "liftSingleValueMethodReturns": layout.lifts_single_results,
    }


def _nodejs(layout: Layout) -> dict[str, object]:
    installation = layout.installation
    npm = npm_package_of(installation)
    return {
        "respectSchemaVersion": True,
        "packageName": npm if npm != f"@{namespace_of(installation) or 'pulumi'}/{installation.name}" else "",
        "compatibility": "tfbridge20" if layout.is_bridged else "",
        "disableUnionOutputTypes": layout.is_bridged,
        "moduleToPackage": _renamed_modules(layout),
        "liftSingleValueMethodReturns": layout.lifts_single_results,
    }


def _go(layout: Layout) -> dict[str, object]:
    base = _go_base(layout.installation)
    aliases = {
        f"{base}/{'/'.join(module)}": "".join(module)
        for module in layout.modules
        # The last part of the path names the Go package, and many are called v1.
        if base and len(module) > 1 and re.fullmatch(r"v\d+\w*", module[-1])
    }
    return {
        "generateResourceContainerTypes": True,
        "respectSchemaVersion": True,
        "importBasePath": base,
        "generateExtraInputTypes": layout.is_bridged,
        "moduleToPackage": _renamed_modules(layout),
        "packageImportAliases": aliases,
        "liftSingleValueMethodReturns": layout.lifts_single_results,
    }


def _go_base(installation: Installation) -> str:
    """Return the path of the root Go package: `github.com/pulumi/pulumi-aws/sdk/v7/go/aws`.

    SDKs generated locally from a Terraform provider have a path in a parent module; for other parameterized packages,
    Go's default rule applies (""), since their schemas have no setting.
    """
    name, major = installation.name.replace("-", ""), _major_folder(installation)
    if installation.base is not None:
        provider = "github.com/pulumi/pulumi-terraform-provider"
        go_path = f"{provider}/sdks/go/{installation.name}{major}/{name}"
        return go_path if installation.base.name == "terraform-provider" else ""
    owner = namespace_of(installation) or "pulumi"
    home = repository_of(installation) or f"https://github.com/{owner}/pulumi-{installation.name}"
    path = re.sub(r"^[a-z+]+://", "", home).rstrip("/").removesuffix(".git")
    return f"{path}/sdk{major}/go/{name}"


def _major_folder(installation: Installation) -> str:
    """Return the folder of Go modules for major versions from 2 on: `/v7`; "" before."""
    match = re.match(r"\d+", installation.version)
    major = int(match[0]) if match is not None else 0
    return f"/v{major}" if major > 1 else ""


def _renamed_modules(layout: Layout) -> dict[str, str]:
    """Return the modules whose folder has another name: `networking.k8s.io/v1` is in `networking/v1`.

    Python also appends underscores to keywords, which is a separate rule.
    """
    return {
        name: "/".join(folder)
        for folder, name in sorted(layout.schema_modules.items())
        if name != "index" and name.lower() != "/".join(part.rstrip("_") for part in folder)
    }


def _has_dict_types(layout: Layout) -> bool:
    """Return whether object types can be dicts: then every argument class has a dict beside it."""
    for module, files in layout.modules.items():
        if INPUTS in files:
            names = listed_names(layout.folder(module) / INPUTS)
            if names:
                return any(name.endswith("ArgsDict") for name in names)
    return True
