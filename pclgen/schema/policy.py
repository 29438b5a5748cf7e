"""A team's policy: rules for the inputs of resources (docs/policies.md).

TOML or JSON files have `properties` by token: for each input, a JSON Schema with the keywords of `types.rules`.

    ["aws:s3/bucket:Bucket".properties.bucket]
    pattern = "^acme-"

`PolicyError` begins with the file and, if known, the line.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from pclgen.diagnostics.suggest import alternatives
from pclgen.errors import UserError
from pclgen.schema.tokens import TokenError, parse_token
from pclgen.source.data import DataError, read_json
from pclgen.source.files import SIDE_FILE, read_regular
from pclgen.types.rules import (
    ENUM,
    ITEMS,
    MEMBERS,
    OF_LISTS,
    OF_MAPS,
    OF_NUMBERS,
    OF_TEXTS,
    VALUES,
    Json,
    Rule,
    RuleError,
    check_agreement,
    check_word,
)

_WORDS = (*OF_NUMBERS, *OF_TEXTS, *OF_LISTS, *OF_MAPS, ENUM, ITEMS, MEMBERS, VALUES)
_DEEPEST = 20


class PolicyError(UserError):
    """An invalid policy; the text gives position and reason."""


class Policy(Struct, frozen=True, kw_only=True, eq=False):
    """Rules for inputs, by type in its short form, and by input; its files, and a digest of their content."""

    rules: Mapping[str, Mapping[str, Rule]]
    files: tuple[Path, ...] = ()
    identity: str = ""

    def of(self, token: str) -> Mapping[str, Rule]:
        """Return the rules for the inputs of a type."""
        return self.rules.get(short_form(token), {})


def short_form(token: str) -> str:
    """Return `aws:s3:Bucket` for `aws:s3/bucket:Bucket`, which is the same type."""
    parts = token.split(":")
    module = parts[1].partition("/")[0] if len(parts) == 3 else ""
    return f"{parts[0]}:{module or 'index'}:{parts[-1]}"


def read_policy(paths: Sequence[Path]) -> Policy:
    """Return the policy of several files, which must not have rules for the same input of the same type."""
    rules: dict[str, dict[str, Rule]] = {}
    digest = hashlib.sha256()
    for path in paths:
        reader = _Reader(path, _text(path))
        digest.update(f"{path} {len(reader.text)} {reader.text}".encode())
        for token, properties in reader.types().items():
            rules_of_token = rules.setdefault(short_form(token), {})
            for name, rule in properties.items():
                if name in rules_of_token:
                    raise reader.fail(f"`{name}` of {token} has a rule already", name)
                rules_of_token[name] = rule
    return Policy(rules=rules, files=tuple(paths), identity=digest.hexdigest())


def _text(path: Path) -> str:
    try:
        return read_regular(path, most=SIDE_FILE).decode("utf-8-sig")
    except OSError as error:
        raise PolicyError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise PolicyError(f"{path}: the text is not UTF-8") from error


class _Reader(Struct, frozen=True):
    """One file."""

    path: Path
    text: str

    def fail(self, reason: str, word: str | None = None, hint: str | None = None) -> PolicyError:
        match = re.search(rf"""(?<![\w-])["']?{re.escape(word)}["']?\s*[=:.\]]""", self.text) if word else None
        place = ""
        if match is not None:
            line = self.text.count("\n", 0, match.start()) + 1
            place = f":{line}:{match.start() - self.text.rfind(chr(10), 0, match.start())}"
        return PolicyError(f"{self.path}{place}: {reason}", hint)

    def content(self) -> object:
        """Return the data of the file."""
        if self.path.suffix == ".json":
            try:
                return read_json(self.text)
            except DataError as error:
                raise self.fail(f"not valid JSON: {error}") from error
        # Loaded here: few projects have a policy.
        import tomllib

        try:
            return tomllib.loads(self.text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise self.fail(f"not valid TOML: {error}") from error

    def types(self) -> Mapping[str, Mapping[str, Rule]]:
        """Return the rules of this file."""
        content = self.content()
        if not isinstance(content, dict):
            raise self.fail("a policy is a table of types")
        return {token: self.type(token, table) for token, table in content.items()}

    def type(self, token: str, table: object) -> Mapping[str, Rule]:
        token_ = parse_token(token)
        if isinstance(token_, TokenError):
            raise self.fail(f"`{token}` is no type: {token_.reason}", token)
        if not isinstance(table, dict) or set(table) != {MEMBERS} or not isinstance(table[MEMBERS], dict):
            hint = f'write ["{token}".properties.NAME], and the rule below it'
            raise self.fail(f"`{token}` may have `properties` only", token, hint)
        return {name: self.rule(rule, name) for name, rule in table[MEMBERS].items()}

    def rule(self, table: object, name: str, depth: int = 0) -> Rule:
        """Return the rule for a value called `name`."""
        if not isinstance(table, dict) or depth > _DEEPEST:
            raise self.fail(f"`{name}` is a table of constraints", name)
        keywords: dict[str, Json] = {}
        for word, value in table.items():
            if word not in _WORDS:
                raise self.fail(f"`{word}` is no constraint", word, alternatives(word, _WORDS))
            keywords[word] = self.value(word, value, (name, depth))
        try:
            check_agreement(keywords)
        except RuleError as problem:
            raise self.fail(f"`{name}`: {problem}", name) from None
        return keywords

    def value(self, word: str, value: object, inside: tuple[str, int]) -> Json:
        name, depth = inside
        if word in (ITEMS, VALUES):
            return self.rule(value, word, depth + 1)
        if word == MEMBERS:
            if not isinstance(value, dict):
                raise self.fail(f"`{word}` is a table of members", word)
            return {member: self.rule(rule, member, depth + 1) for member, rule in value.items()}
        if word == ENUM:
            scalars = value if isinstance(value, list) else ()
            if not scalars or not all(isinstance(scalar, bool | int | float | str) for scalar in scalars):
                raise self.fail(f"`{word}` is a list of texts, numbers and bools", word)
            return list(scalars)
        try:
            check_word(word, value)
        except RuleError as problem:
            raise self.fail(f"`{name}`: {problem}", word) from None
        assert isinstance(value, bool | int | float | str)
        return value
