from typing import Optional

import pulumi
import pulumi_tls as tls


class Certificate(pulumi.ComponentResource):
    private_key: pulumi.Output[str]
    certificate: pulumi.Output[str]

    def __init__(
        self,
        resource_name: str,
        *,
        common_name: str,
        validity_hours: pulumi.Input[int],
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__(
            "components:index:Certificate",
            resource_name,
            {"commonName": common_name, "validityHours": validity_hours},
            opts,
        )

        key = tls.PrivateKey(
            f"{resource_name}-key",
            algorithm="ECDSA",
            ecdsa_curve="P256",
            opts=pulumi.ResourceOptions(parent=self),
        )

        cert = tls.SelfSignedCert(
            f"{resource_name}-cert",
            private_key_pem=key.private_key_pem,
            validity_period_hours=validity_hours,
            allowed_uses=["server_auth", "digital_signature"],
            dns_names=[common_name, f"www.{common_name}"],
            subject={"common_name": common_name, "organization": "ACME, Inc."},
            opts=pulumi.ResourceOptions(parent=self),
        )

        self.private_key = key.private_key_pem
        self.certificate = cert.cert_pem

        self.register_outputs(
            {"privateKey": self.private_key, "certificate": self.certificate}
        )
