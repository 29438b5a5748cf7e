from typing import Any

import pulumi
import pulumi_azuread as azuread
import pulumi_command as command
import pulumi_random as random


def require_value(value: Any, problem: str) -> Any:
    """The value, which must be set."""
    if value is None:
        raise ValueError(problem)
    return value


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A dict of pairs whose keys differ."""
    if len(result := dict(pairs)) < len(pairs):
        raise ValueError("two elements have the same key")
    return result


shuffle = random.RandomShuffle(
    "shuffle", inputs=["red", "green", "blue"], result_count=2
)

app = azuread.Application(
    "app",
    display_name="portal",
    app_roles=[
        {
            "id": "11111111-0000-0000-0000-000000000001",
            "allowed_member_types": ["User"],
            "description": "Readers",
            "display_name": "Reader",
            "value": "reader",
        },
        {
            "id": "11111111-0000-0000-0000-000000000002",
            "allowed_member_types": ["User"],
            "description": "Writers",
            "display_name": "Writer",
            "value": "writer",
        },
    ],
)

sp = azuread.ServicePrincipal(
    "sp",
    client_id=app.client_id,
    tags=shuffle.results.apply(lambda results: [f"color-{c}" for c in results]),
)

trigger = command.local.Command("trigger", create="echo done", triggers=shuffle.results)

pulumi.export(
    "colors",
    shuffle.results.apply(lambda results: [f"{i}:{c}" for i, c in enumerate(results)]),
)

pulumi.export(
    "notRed", shuffle.results.apply(lambda results: [c for c in results if c != "red"])
)

pulumi.export(
    "roleNames",
    sp.app_roles.apply(lambda app_roles: [r.display_name for r in app_roles]),
)

pulumi.export(
    "roleMap",
    sp.app_roles.apply(
        lambda app_roles: unique_keys(
            [
                (require_value(r.value, "main.pp:49:36: r.value is not set"), r.id)
                for r in app_roles
            ]
        )
    ),
)

pulumi.export(
    "scopeIds",
    app.oauth2_permission_scope_ids.apply(
        lambda oauth2_permission_scope_ids: [
            f"{k}={v}" for k, v in sorted(oauth2_permission_scope_ids.items())
        ]
    ),
)
