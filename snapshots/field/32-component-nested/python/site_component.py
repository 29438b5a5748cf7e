from collections.abc import Mapping
from typing import Optional

import pulumi
import pulumi_digitalocean as digitalocean

from certificate import Certificate


class Site(pulumi.ComponentResource):
    certificate_pem: pulumi.Output[str]
    fingerprint: pulumi.Output[str]

    def __init__(
        self,
        resource_name: str,
        *,
        domain: str,
        admins: Mapping[str, str],
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__(
            "components:index:Site",
            resource_name,
            {"domain": domain, "admins": admins},
            opts,
        )

        tls = Certificate(
            f"{resource_name}-tls",
            common_name=domain,
            validity_hours=24 * 365,
            opts=pulumi.ResourceOptions(parent=self),
        )

        cert = digitalocean.Certificate(
            f"{resource_name}-cert",
            type=digitalocean.CertificateType.CUSTOM,
            private_key=tls.private_key,
            leaf_certificate=tls.certificate,
            opts=pulumi.ResourceOptions(parent=self),
        )

        check = digitalocean.UptimeCheck(
            f"{resource_name}-check",
            target=f"https://{domain}",
            opts=pulumi.ResourceOptions(parent=self),
        )

        digitalocean.UptimeAlert(
            f"{resource_name}-alert",
            check_id=check.id,
            type="ssl_expiry",
            period="2m",
            notifications=[{"emails": [mail for who, mail in sorted(admins.items())]}],
            opts=pulumi.ResourceOptions(parent=self),
        )

        self.certificate_pem = tls.certificate
        self.fingerprint = cert.sha1_fingerprint

        self.register_outputs(
            {"certificatePem": self.certificate_pem, "fingerprint": self.fingerprint}
        )
