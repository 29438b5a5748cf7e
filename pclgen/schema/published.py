"""Packages whose SDKs are published as `pulumi-NAME`.

Comes in: a name that a program uses.  Goes out: whether help may say to install it.  A name that a program made up must
never become an advice to install whatever somebody has put under that name on a registry.
"""

from __future__ import annotations

from typing import Final

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
