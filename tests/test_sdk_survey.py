"""Today's SDKs are readable: the newest releases of well-known packages, as far as the time of a test run allows.

`python -m tests.sdk_survey` also reads the large packages (aws, azure-native, gcp), and older releases.
"""

from __future__ import annotations

import pytest

from tests.sdk_survey import lines, survey

PACKAGES = (
    "pulumi-random", "pulumi-tls", "pulumi-command", "pulumiverse-time", "pulumi-std", "pulumi-docker", "pulumi-eks",
    "pulumi-awsx", "pulumi-kubernetes", "pulumi-github", "pulumi-digitalocean", "pulumi-gitlab", "pulumi-vault",
    "pulumi-snowflake",
    # Releases of some years ago: 4.2.0 has no pulumi-plugin.json yet.
    "pulumi-random==4.2.0", "pulumi-random==4.4.2", "pulumi-command==0.9.2", "pulumi-std==1.6.2",
)  # fmt: skip  # a list of many short entries


@pytest.mark.parametrize("requirement", PACKAGES)
def test_every_sampled_member_can_be_read(requirement: str) -> None:
    result = survey(requirement, sample=12)
    assert result.read > 0
    assert result.faults == (), "\n".join(lines(result))
