from typing import Optional

import pulumi
import pulumi_github as github
import pulumi_tls as tls


class Service(pulumi.ComponentResource):
    clone_url: pulumi.Output[str]
    deploy_key: pulumi.Output[str]

    def __init__(
        self,
        resource_name: str,
        *,
        service_name: pulumi.Input[str],
        template: pulumi.Input[str],
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__(
            "components:index:Service",
            resource_name,
            {"serviceName": service_name, "template": template},
            opts,
        )

        repo = github.Repository(
            f"{resource_name}-repo",
            name=service_name,
            visibility="private",
            template={"owner": "acme", "repository": template},
            opts=pulumi.ResourceOptions(parent=self),
        )

        key = tls.PrivateKey(
            f"{resource_name}-key",
            algorithm="ED25519",
            opts=pulumi.ResourceOptions(parent=self),
        )

        github.RepositoryDeployKey(
            f"{resource_name}-deploy",
            repository=repo.name,
            title="deploy",
            key=key.public_key_openssh,
            read_only=True,
            opts=pulumi.ResourceOptions(parent=self),
        )

        self.clone_url = repo.ssh_clone_url
        self.deploy_key = key.private_key_openssh

        self.register_outputs(
            {"cloneUrl": self.clone_url, "deployKey": self.deploy_key}
        )
