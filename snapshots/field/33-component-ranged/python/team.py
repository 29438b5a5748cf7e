from collections.abc import Sequence
from typing import Optional

import pulumi
import pulumi_github as github


class Team(pulumi.ComponentResource):
    slug: pulumi.Output[str]
    team_id: pulumi.Output[str]

    def __init__(
        self,
        resource_name: str,
        *,
        name: pulumi.Input[str],
        description: pulumi.Input[str],
        members: Sequence[str],
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__(
            "components:index:Team",
            resource_name,
            {"name": name, "description": description, "members": members},
            opts,
        )

        team = github.Team(
            f"{resource_name}-team",
            name=name,
            description=description,
            privacy="closed",
            opts=pulumi.ResourceOptions(parent=self),
        )

        membership = [
            github.TeamMembership(
                f"{resource_name}-membership-{i}",
                team_id=team.id,
                username=member,
                role="member",
                opts=pulumi.ResourceOptions(parent=self),
            )
            for i, member in enumerate(members)
        ]

        self.slug = team.slug
        self.team_id = team.id

        self.register_outputs({"slug": self.slug, "teamId": self.team_id})
