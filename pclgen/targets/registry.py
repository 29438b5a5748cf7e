"""The target languages by name; each is imported on first use."""

from __future__ import annotations

from pclgen.targets.base import Target


def target(name: str) -> Target:
    """Return the target named `name`. Raises `KeyError` for a name that is not in `TARGETS`."""
    match name:
        case "python":
            from pclgen.targets.python.target import PYTHON

            return PYTHON
        case "typescript":
            from pclgen.targets.typescript.target import TYPESCRIPT

            return TYPESCRIPT
        case "go":
            from pclgen.targets.go.target import GO

            return GO
        case "yaml":
            from pclgen.targets.yaml.target import YAML

            return YAML
        case _:
            raise KeyError(name)
