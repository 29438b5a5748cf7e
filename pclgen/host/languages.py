"""The languages for which pclgen has a host, with their names in Pulumi and in pclgen."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class HostLanguage(Struct, frozen=True, kw_only=True):
    """A language: its runtime name in Pulumi.yaml, and its target name in pclgen."""

    runtime: str
    target: str

    @property
    def stock(self) -> str:
        """The file name of Pulumi's stock host."""
        return f"pulumi-language-{self.runtime}"

    @property
    def ours(self) -> str:
        """The file name of pclgen's host."""
        return f"pulumi-language-{self.plugin}"

    @property
    def plugin(self) -> str:
        """The name of pclgen's host among the CLI's plugins."""
        return f"pclgen-{self.runtime}"

    @property
    def variable(self) -> str:
        """The environment variable that names the stock host."""
        return f"PCLGEN_LANGUAGE_HOST_{self.runtime.upper()}"


HOST_LANGUAGES: Mapping[str, HostLanguage] = {
    "python": HostLanguage(runtime="python", target="python"),
    "nodejs": HostLanguage(runtime="nodejs", target="typescript"),
    "go": HostLanguage(runtime="go", target="go"),
}
"""The languages by runtime."""
