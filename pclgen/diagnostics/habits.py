"""Help for constructs of Terraform and of programming languages, with their equivalents in PCL.

An unknown word gets a help line if it is in these tables. pclgen accepts every form shown here (`tests/test_habits.py`
checks them).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

_LOCALS: Final = "write `name = value` at the top of the file, without a block"
_REPEATED: Final = "use an option to repeat a resource: options { range = … }"
_BLOCKS: Final[Mapping[str, str]] = {
    "variable": "write a config block: config {name} string {{ default = … }}",
    "variables": "write one config block per variable: config name string { default = … }",
    "locals": _LOCALS,
    "local": _LOCALS,
    "module": 'write a component for a directory of .pp files: component {name} "./folder" {{ … }}',
    "data": 'use a function to look up existing resources: {name} = invoke("package:module:getThing", {{ … }})',
    "provider": 'declare a provider as a resource: resource {name} "pulumi:providers:{name}" {{ … }}',
    "terraform": "set package versions in package blocks, and the version of Pulumi in a pulumi block",
    "moved": 'use an option for the former name: options { aliases = [{ name = "old" }] }',
    "import": 'write options { import = "its id" } in a resource to import it',
    "removed": "remove the resource from the program; use options { retainOnDelete = true } first to keep it in the cloud",
    "check": "use options { hooks = … } to run commands before or after an operation: PCL has no checks",
    "if": "use an option for a conditional resource: options { range = condition ? 1 : 0 }",
    "for": _REPEATED,
    "while": _REPEATED,
    "foreach": _REPEATED,
    "function": 'use a component to group resources: component name "./folder" { … }',
}
_INNER_BLOCKS: Final[Mapping[str, str]] = {
    "lifecycle": "write options { … } with protect, ignoreChanges, deleteBeforeReplace or replaceOnChanges",
    "timeouts": 'write options { customTimeouts = { create = "10m" } }',
    "dynamic": "use a list for repeated parts: {name} = [for x in xs : {{ … }}]",
    "provisioner": 'use a resource to run a command: resource name "command:local:Command" { create = "…" }',
    "connection": 'use a resource to run a remote command: resource name "command:remote:Command" { connection = { … } }',
    "properties": "write the properties in the block itself, each on its own line",
}
_PROPERTIES: Final[Mapping[str, str]] = {
    "count": "use an option: options { range = 3 }; range.value starts at 0",
    "for_each": "use an option: options { range = … }, with range.key and range.value",
    "depends_on": "use an option: options { dependsOn = [other] }",
    "ignore_changes": "use an option: options { ignoreChanges = [property] }",
    "prevent_destroy": "use an option: options { protect = true }",
    "lifecycle": _INNER_BLOCKS["lifecycle"],
    "timeouts": _INNER_BLOCKS["timeouts"],
    "options": "write options { … } without =: options are a block",
    "properties": _INNER_BLOCKS["properties"],
}
_OPTIONS: Final[Mapping[str, str]] = {
    "count": "write range = 3; range.value starts at 0",
    "for_each": "write range = …, with range.key and range.value",
    "prevent_destroy": "write protect = true",
    "create_before_destroy": "remove it: Pulumi creates the new resource first unless deleteBeforeReplace is true",
}
_SETTINGS: Final[Mapping[tuple[str, str], str]] = {
    ("config", "type"): "write the type after the name: config name string { … }",
    ("config", "sensitive"): "write secret = true",
    ("config", "validation"): "add a constraint to the type, such as int(minimum=1)",
    ("output", "sensitive"): "write value = secret(…)",
    ("output", "secret"): "write value = secret(…)",
    ("package", "name"): 'write baseProviderName = "…"',
    ("package", "source"): 'write baseProviderName = "…"',
    ("package", "version"): 'write baseProviderVersion = "…"',
    ("output", "type"): "write the type after the name: output name string { … }",
}
_VARIABLES: Final[Mapping[str, str]] = {
    "null": "null", "none": "null", "nil": "null", "undefined": "null", "true": "true", "yes": "true", "on": "true",
    "false": "false", "no": "false", "off": "false",
}  # fmt: skip  # a table with many short entries a line
_FIRST_WORDS: Final = frozenset(("var", "local", "locals", "module", "variable", "config", "resource", "component"))
_DOTTED: Final[Mapping[tuple[str, str], str]] = {
    ("each", "key"): "write range.key, in a resource with options { range = … }",
    ("each", "value"): "write range.value, in a resource with options { range = … }",
    ("count", "index"): "write range.value, in a resource with options { range = … }",
    ("path", "module"): "write cwd() for the folder where the program runs, or rootDirectory() for that of the project",
    ("path", "root"): "write rootDirectory()",
    ("path", "cwd"): "write cwd()",
    ("terraform", "workspace"): "write stack()",
    ("pulumi", "stack"): "write stack()",
    ("pulumi", "project"): "write project()",
    ("pulumi", "organization"): "write organization()",
}
_FUNCTIONS: Final[Mapping[str, str]] = {
    "jsonencode": "toJSON(…)", "base64encode": "toBase64(…)", "base64decode": "fromBase64(…)", "file": "readFile(…)",
    "sensitive": "secret(…)", "nonsensitive": "unsecret(…)", "len": "length(…)", "size": "length(…)", "count": "length(…)",
    "str": '"${…}"', "string": '"${…}"', "tostring": '"${…}"', "format": '"… ${a} … ${b}"', "f": '"… ${a}"',
    "one": "singleOrNone(…)", "coalesce": "a == null ? b : a",
}  # fmt: skip  # a table with many short entries a line
_NO_NEED: Final[Mapping[str, str]] = {
    "toset": "remove the call: you can iterate over lists directly",
    "tolist": "remove the call: lists need no conversion",
    "tomap": "remove the call: objects are maps",
    "tonumber": "remove the call: pclgen converts strings to numbers",
    "tobool": "remove the call: pclgen converts strings to bools",
    "templatefile": "use a template: <<EOF … ${value} … EOF",
}
_STD: Final = frozenset({
    "abs", "abspath", "alltrue", "anytrue", "base64gzip", "base64sha256", "base64sha512", "basename", "bcrypt", "ceil",
    "chomp", "chunklist", "cidrhost", "cidrnetmask", "cidrsubnet", "cidrsubnets", "coalescelist", "compact", "concat",
    "contains", "csvdecode", "dirname", "distinct", "endswith", "fileexists", "filebase64sha512", "filemd5", "filesha1",
    "filesha256", "filesha512", "flatten", "floor", "formatlist", "indent", "index", "jsondecode", "keys", "log", "lower",
    "map", "matchkeys", "md5", "merge", "parseint", "pathexpand", "pow", "regex", "regexall", "replace", "reverse",
    "rsadecrypt", "setintersection", "sha256", "sha512", "signum", "slice", "sort", "startswith", "strrev", "substr",
    "sum", "timeadd", "timecmp", "timestamp", "title", "transpose", "trim", "trimprefix", "trimspace", "trimsuffix",
    "upper", "urlencode", "uuid", "values", "zipmap",
})  # fmt: skip  # the functions of the package `std` that no built-in function replaces
_EACH: Final = "write [for x in xs : …] for each element"
_METHODS: Final[Mapping[str, str]] = {
    "map": _EACH, "forEach": _EACH, "filter": "write [for x in xs : x if …] to select elements",
    "apply": "remove the call: use the output like any other value", "toString": 'write "${…}"',
}  # fmt: skip  # a table with many short entries a line
_TYPES: Final[Mapping[str, str]] = {
    "boolean": "bool", "integer": "int", "long": "int", "float": "number", "double": "number", "decimal": "number",
    "text": "string", "dict": "map(any)", "dictionary": "map(any)", "hash": "map(any)", "array": "list(any)",
    "vector": "list(any)", "struct": "object({ name = string })", "record": "object({ name = string })",
}  # fmt: skip  # a table with many short entries a line
_TERRAFORM_TYPE: Final = re.compile(r"([a-z][a-z0-9]*)_([a-z0-9_]+)")


def block_help(kind: str, label: str | None, *, inner: bool = False) -> str | None:
    """Help for an unknown block at the top of a file, or `inner` to a resource; `label` is its last label."""
    template = (_INNER_BLOCKS if inner else _BLOCKS).get(kind)
    return template.format(name=label or "name") if template is not None and "{name}" in template else template


def statement_help(word: str, rest: str) -> str | None:
    """Help for a line that begins with `word` as a statement of another language does; `rest` is the rest of the line."""
    if word in ("import", "include", "use", "using", "require", "from"):
        return (
            f'remove {word} and use the full type: resource name "package:module:Type" {{ … }};'
            ' use a component for a directory of .pp files: component name "./folder" { … }'
        )
    if word == "return":
        return "use an output for a result: output name { value = … }"
    if word in ("var", "let", "const", "local", "locals", "variable", "export"):
        return f"write {rest or 'name'} = … without a keyword"
    return None


def set_head_help(block: str, name: str) -> str | None:
    """Help for `output name = x` and similar: a block written as an assignment to its name."""
    inner = {"output": "value", "config": "default", "variable": "default"}.get(block)
    if inner is not None:
        return f"write {'output' if block == 'output' else 'config'} {name} {{ {inner} = … }}"
    return statement_help(block, name)


def property_help(name: str, options: Collection[str]) -> str | None:
    """Help for a name that is not a property of the resource; `options` are the names of the options."""
    if name in options:
        return f"use an option: options {{ {name} = … }}"
    return _PROPERTIES.get(name)


def option_help(name: str) -> str | None:
    """Help for a name that is not an option."""
    return _OPTIONS.get(name)


def setting_help(block: str, name: str) -> str | None:
    """Help for an attribute that a `config` or `output` does not have."""
    return _SETTINGS.get((block, name))


def variable_help(name: str, steps: Sequence[str], variables: Collection[str]) -> str | None:
    """Help for an unknown name; `steps` are the names after its dots, `variables` are the existing names."""
    if name.lower() in _VARIABLES:
        return f"write {_VARIABLES[name.lower()]}"
    if not steps:
        return None
    step = steps[0]
    if name == "range" and step in ("key", "value"):
        return f"use range.{step} only in a resource or component with options {{ range = … }}"
    if (name, step) in _DOTTED:
        return _DOTTED[name, step]
    if name == "data" and steps[-1] in variables:
        return f"write `{steps[-1]}` without a prefix"
    if name == "data":
        return 'use a function to look up existing resources: name = invoke("package:module:getThing", { … })'
    if name == "self":
        return "use a local: a resource cannot refer to itself"
    if name in _FIRST_WORDS or step in variables:
        return f"write `{step}` without a prefix"
    return None


def reference_help(name: str, steps: Sequence[str]) -> str | None:
    """Help for `random_pet.pet.id`, a reference of Terraform to a resource that is not declared."""
    is_reference = len(steps) > 1 and _TERRAFORM_TYPE.fullmatch(name) is not None
    return f"declare `{steps[0]}`, and refer to it without its type: {'.'.join(steps)}" if is_reference else None


def bool_help(text: str) -> str | None:
    """Help for a text where a bool is expected."""
    replacement = _VARIABLES.get(text.lower())
    return f"write {replacement}" if replacement in ("true", "false") else None


def function_help(name: str) -> str | None:
    """Help for an unknown function."""
    if name in _FUNCTIONS:
        return f"write {_FUNCTIONS[name]}"
    if name in _NO_NEED:
        return _NO_NEED[name]
    return std_help(name) if name in _STD else None


def std_help(name: str, arguments: str = "…") -> str:
    """Help that calls a function of the package `std`."""
    return f'use the package std: invoke("std:index:{name}", {{ {arguments} }}).result'


def joined_help(*, keyed: bool) -> str:
    """Help for two collections that become one: maps if `keyed`, else lists."""
    return std_help("merge" if keyed else "concat", "input = [a, b]")


def method_help(name: str, receiver: Sequence[str]) -> str:
    """Help for a call of a method; `receiver` has the names before its dot, and is empty for other expressions."""
    replacement = _METHODS.get(name) or function_help(name)
    if replacement is not None:
        return replacement
    function = f"{name}(…) for a function"
    if len(receiver) in (1, 2) and re.match("get[A-Z]", name):
        token = ":".join((receiver[0], *(receiver[1:] or ("index",)), name))
        function = f'invoke("{token}", {{ … }}) for a function of a package'
    return f'write {function}, call({".".join(receiver) or "x"}, "{name}", {{ … }}) for a method of a resource'


def type_help(name: str) -> str | None:
    """Help for an unknown type name."""
    replacement = _TYPES.get(name.lower())
    return f"write {replacement}" if replacement is not None else None


def terraform_resource(kind: str, name: str) -> tuple[str, str] | None:
    """The package and the likely type name of `resource "aws_instance" "web"`; None for labels of another form."""
    match = _TERRAFORM_TYPE.fullmatch(kind)
    if match is None or ":" in name:
        return None
    return match[1], "".join(word.capitalize() for word in match[2].split("_"))


def are_swapped(first: str, second: str) -> bool:
    """Return whether the labels of a resource are its type and its name, in this order."""
    return ":" not in second and (":" in first or _TERRAFORM_TYPE.fullmatch(first) is not None)


def token_help(name: str, token: str, nearest: Callable[[str], str | None]) -> str | None:
    """Help for a malformed type of a resource when the block is written as in Terraform, or its labels are swapped.

    `nearest` returns the type of a known package that resembles a token.
    """
    if ":" in name and ":" not in token:
        return f'write the name before the type: resource {token} "{name}" {{ … }}'
    swapped = terraform_resource(name, token)
    resource_type = swapped or terraform_resource(token, "")
    if resource_type is None:
        known = nearest(token.replace(".", ":")) if "." in token and ":" not in token else None
        return f'write "{known}"' if known is not None else None
    package, member = resource_type
    known = nearest(f"{package}:index:{member}") or nearest(f"{package}:index:{package.capitalize()}{member}")
    return (
        ("write the name before the type: " if swapped else "this is a Terraform type: write ")
        + f'resource {token if swapped else name} "{known or f"{package}:module:{member}"}" {{ … }}'
        + (f"; `pclgen schema show {package}` lists the types" if known is None else "")
    )
