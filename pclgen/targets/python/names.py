"""Python names of a package's declarations: keywords, attributes, enum members, modules.

Names and tokens of a schema become names in the published Python SDK (targets.md, Packages and modules; Reserved words).
"""

from __future__ import annotations

import builtins
import keyword
import re
import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from pclgen.targets.names import NameTable, expand_short_member, identifier, snake, uppercase_first

# The SDKs escape the keywords of Python 2 as well, but not the soft keywords (targets.md, Reserved words).
KEYWORDS: Final = frozenset(keyword.kwlist) | {"print", "exec"}

# Names that a program may not bind: rebinding a built-in makes later uses of it wrong.
RESERVED: Final = KEYWORDS | frozenset(dir(builtins)) | {"self"}

# Members of `pulumi.Output`: these attributes of a resolved value cannot be reached through an output (targets.md, Steps
# without apply).
OUTPUT_MEMBERS: Final = frozenset(
    {
        "all",
        "apply",
        "concat",
        "format",
        "from_input",
        "future",
        "get",
        "is_known",
        "is_secret",
        "json_dumps",
        "json_loads",
        "recover",
        "resources",
        "secret",
        "unsecret",
    }
)

# Built-in names that generated classes refer to.
_EMITTED_BUILTINS: Final = frozenset(
    {
        "bool",
        "dict",
        "enumerate",
        "float",
        "int",
        "len",
        "list",
        "max",
        "min",
        "range",
        "self",
        "sorted",
        "str",
        "super",
    }
)

# Attributes of `pulumi.ComponentResource`, and the parameters that every constructor has.
_COMPONENT_MEMBERS: Final = frozenset(
    {
        "Any",
        "get_provider",
        "opts",
        "pulumi",
        "pulumi_resource_name",
        "pulumi_resource_type",
        "register_outputs",
        "resource_name",
        "translate_input_property",
        "translate_output_property",
        "urn",
    }
)

# Positional parameters of every resource class; inputs of these names are renamed by the SDKs.
_CONSTRUCTOR_PARAMETERS: Final = frozenset({"resource_name", "opts"})

STANDARD_MODULES: Final = sys.stdlib_module_names


def variable(name: str) -> str:
    """A good name for a variable that PCL calls `name`: `web-server` -> `web_server`, `class` -> `class_`."""
    text = snake(name)
    return text + "_" if text in RESERVED else text


def attribute(name: str) -> str:
    """The attribute (and `get` keyword) of property `name` in an SDK."""
    text = snake(name)
    return text + "_" if text in KEYWORDS else text


def parameter(name: str) -> str:
    """The keyword of a resource's constructor for input `name`."""
    text = attribute(name)
    return text + "_" if text in _CONSTRUCTOR_PARAMETERS else text


@lru_cache(maxsize=256)
def component_members(members: tuple[str, ...]) -> Mapping[str, str]:
    """The keywords of the inputs, or the attributes of the outputs, of a component: `a-b` and `aB` would collide."""
    table = NameTable()
    return {name: table.claim(component_member(name)) for name in members}


def component_member(name: str) -> str:
    """The keyword or attribute of a generated component class for input or output `name`.

    It may not hide the types in the annotations beside it, nor the members of every component.
    """
    text = attribute(name)
    if text.startswith("__"):
        text = text.strip("_") or "value"  # Python mangles such names in classes, or reserves them
    return text + "_" if text in _EMITTED_BUILTINS or text in _COMPONENT_MEMBERS else text


def class_name(member: str) -> str:
    """The class of resource or type `member` (the last part of its token)."""
    text = identifier(uppercase_first(member))
    return text + "_" if text in KEYWORDS else text


def function_name(member: str) -> str:
    """The function of token member `member`."""
    text = snake(uppercase_first(member))
    return text + "_" if text in KEYWORDS else text


def enum_member(enum: str, name: str) -> str:
    """The constant of enum class `enum` for the member called `name` in the schema (targets.md, Enum members)."""
    text = snake(expand_short_member(name)).upper()
    if text.startswith("_"):
        text = snake(enum).upper() + text
    return re.sub("_+", "_", text)


def module_path(canonical: str) -> str:
    """The sub-module of canonical module `canonical`, dotted; "" is the root of the package."""
    if not canonical:
        return ""
    return ".".join(attribute(part) for part in canonical.lower().split("/"))
