from collections.abc import Mapping, Sequence
from typing import Optional

import pulumi
import pulumi_kubernetes as kubernetes


class Team(pulumi.ComponentResource):
    namespace: pulumi.Output[Optional[str]]
    limits: pulumi.Output[Optional[Mapping[str, str]]]

    def __init__(
        self,
        resource_name: str,
        *,
        # The name of the team.
        name: str,
        # How many processors its containers may use together.
        cpu: pulumi.Input[str],
        # How much memory its containers may use together.
        memory: pulumi.Input[str],
        # Users who may change everything in the namespace.
        admins: Optional[Sequence[str]] = None,
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__(
            "components:index:Team",
            resource_name,
            {"name": name, "cpu": cpu, "memory": memory, "admins": admins},
            opts,
        )

        admins = [] if admins is None else admins

        space = kubernetes.core.v1.Namespace(
            f"{resource_name}-space",
            metadata={"name": f"team-{name}", "labels": {"team": name}},
            opts=pulumi.ResourceOptions(parent=self),
        )

        quota = kubernetes.core.v1.ResourceQuota(
            f"{resource_name}-quota",
            metadata={"namespace": space.metadata.name},
            spec={
                "hard": {"requests.cpu": cpu, "requests.memory": memory, "pods": "50"}
            },
            opts=pulumi.ResourceOptions(parent=self),
        )

        kubernetes.core.v1.LimitRange(
            f"{resource_name}-defaults",
            metadata={"namespace": space.metadata.name},
            spec={
                "limits": [
                    {
                        "type": "Container",
                        "default": {"memory": "256Mi"},
                        "default_request": {"cpu": "100m", "memory": "128Mi"},
                    }
                ]
            },
            opts=pulumi.ResourceOptions(parent=self),
        )

        kubernetes.networking.v1.NetworkPolicy(
            f"{resource_name}-fence",
            metadata={"namespace": space.metadata.name},
            spec={
                "pod_selector": {},
                "policy_types": ["Ingress"],
                "ingress": [
                    {
                        "from_": [
                            {
                                "namespace_selector": {
                                    "match_expressions": [
                                        {
                                            "key": "team",
                                            "operator": "In",
                                            "values": [name, "platform"],
                                        }
                                    ]
                                }
                            }
                        ]
                    }
                ],
            },
            opts=pulumi.ResourceOptions(parent=self),
        )

        kubernetes.rbac.v1.RoleBinding(
            f"{resource_name}-administration",
            metadata={"namespace": space.metadata.name},
            role_ref={
                "api_group": "rbac.authorization.k8s.io",
                "kind": "ClusterRole",
                "name": "admin",
            },
            subjects=[
                {"api_group": "rbac.authorization.k8s.io", "kind": "User", "name": user}
                for user in admins
            ],
            opts=pulumi.ResourceOptions(parent=self),
        )

        self.namespace = space.metadata.name
        self.limits = quota.spec.hard

        self.register_outputs({"namespace": self.namespace, "limits": self.limits})
