"""Every comment of a program stands exactly once in the generated code, wherever PCL allows a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import pclgen
from pclgen.source.text import SourceFile
from pclgen.syntax.lexer import lex
from tests.support import compilers
from tests.support.corpus import ROOT

SCHEMAS = [ROOT / "tests" / "schemas"]
PET = "random:index/randomPet:RandomPet"

PROGRAM = {
    "main.pp": f"""pulumi {{
  requiredVersionRange = ">=3.0.0"
}}

package {{
  baseProviderName = "random"
}}

config size int {{
  description = "How many."
  default     = 2
}}

config names "list(string)" {{
  default = [
    "a",
    "b"
  ]
}}

word = "x-${{size}}"

numbers = [
  1,
  size > 1 ? 2 : 3,
  max(4, size)
]

table = {{
  one = word,
  two = "${{word}}!"
}}

lengths = [for key, name in names : length(name) if key > 0]

byName = {{ for name in names : name => "${{name}}!" }}

total = (size + 1) * numbers[0] - length(names[*])

flag = !(size == 2) && true

text = <<-END
  hello ${{word}}
  END

resource pet "{PET}" {{
  __logicalName = "animal"
  length        = size
  separator = join("-", [
    "a",
    word
  ])
  keepers = {{
    first  = table.one
    second = text
  }}

  options {{
    protect       = true
    ignoreChanges = [prefix, keepers]
    customTimeouts = {{
      create = "5m"
    }}
  }}
}}

read known "{PET}" {{
  id = "abc"
}}

resource many "{PET}" {{
  options {{
    range = 2
  }}
  prefix = "p${{range.value}}"
}}

hook resource checked {{
  command  = ["true", word]
  onDryRun = true
}}

component team "./team" {{
  title = pet.id
  sizes = [1, 2]
  options {{
    dependsOn = [pet]
  }}
}}

output id {{
  description = "The id."
  value       = pet.id
}}

output all {{
  value = [many[*].id, known.id, numbers, lengths, byName, total, flag]
}}

output policy {{
  value = toJSON({{
    Statement = [
      {{ Effect = "Allow", Name = word }}
    ]
  }})
}}
""",
    "team/main.pp": f"""config title string {{
  description = "What it is called."
}}

config sizes "list(number)" {{
  description = "The sizes."
  default     = [3]
}}

config most int {{
  default = 4
}}

resource inner "{PET}" {{
  prefix = "${{title}}${{length(sizes)}}${{most}}"
}}

output called {{
  description = "The name."
  value       = inner.id
}}

output other {{
  value = most
}}
""",
}


def counted(program: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """The count of each comment in the code generated from `program`, by language, without correct counts."""
    written = set(re.findall(r"\bc\d+c\b", " ".join(program.values())))
    assert written
    result = pclgen.generate(program, schemas=SCHEMAS, program_only=True)
    assert [d.message for d in result.diagnostics] == []
    wrong: dict[str, dict[str, int]] = {}
    for language, files in result.files.items():
        matches = re.findall(r"\bc\d+c\b", " ".join(files.values()))
        wrong[language] = {comment: matches.count(comment) for comment in sorted(written) if matches.count(comment) != 1}
    return {language: comments for language, comments in wrong.items() if comments}


def above_lines(text: str) -> Iterator[tuple[int, str]]:
    """A comment on a line of its own above each line, and at the end."""
    for match in re.finditer(r"^", text, re.MULTILINE):
        yield match.start(), "# {}\n"


def behind_lines(text: str) -> Iterator[tuple[int, str]]:
    """A comment at the end of each line that is not empty."""
    for match in re.finditer(r"(?<=\S)$", text, re.MULTILINE):
        yield match.end(), " // {}"


def before_tokens(text: str) -> Iterator[tuple[int, str]]:
    """A comment before each token."""
    for token in lex(SourceFile("main.pp", text)).tokens:
        if token.type != "NL":
            yield token.start, "/* {} */ "


FORMS = {"above lines": above_lines, "behind lines": behind_lines, "before tokens": before_tokens}


def is_comment(text: str, at: int, form: str) -> bool:
    """Whether `form` at that position is a comment, and not a part of a string."""
    source = SourceFile("main.pp", text[:at] + form + text[at:])
    return len(lex(source).comments) == 1


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", PROGRAM)
def test_comments_everywhere_stand_once(name: str, form: str) -> None:
    text = PROGRAM[name]
    places = [(at, mark) for at, mark in FORMS[form](text) if is_comment(text, at, mark)]
    assert len(places) > 10
    for number, (at, mark) in reversed(list(enumerate(places))):
        text = text[:at] + mark.format(f"c{number}c") + text[at:]
    assert counted({**PROGRAM, name: text}) == {}


LIST = "[\n  size, # c1c\n  2, # c2c\n  # c3c\n]"
OBJECT = '{\n  # c1c\n  a = "x", # c2c\n  b = word # c3c\n}'
VALUES = {
    "a list": LIST,
    "an object": OBJECT,
    "in parentheses": f"({LIST})",
    "in a list": f"[{OBJECT}]",
    "in an object": f"{{ x = [{OBJECT}] }}",
    "the result of a loop": f"[for n in names : {OBJECT}]",
    "the result of an object's loop": f"{{ for n in names : n => {LIST} }}",
    "what is looped over": f"[for n in {LIST} : n + 1]",
    "the condition of a loop": f"[for n in names : n if length({LIST}) > 1]",
    "in a template": f'"x${{toJSON({LIST})}}"',
    "in a heredoc": f"<<-E\n  x${{toJSON({LIST})}}\n  E\n",
    "a source": f"{OBJECT}.b",
    "an indexed one": f"{LIST}[0]",
    "an indexed one by a variable": f"{LIST}[size]",
    "a splat": f'[{OBJECT}, {{ a = "y", b = "z" }}][*].b',
    "an operand": f"{LIST} == [1, 2]",
    "negated": f"!({LIST} == [1])",
    "a branch": f"size > 1 ? {LIST} : [1]",
    "the other branch": f"size > 1 ? [2] : {LIST}",
    "a branch that is an object": f'size > 1 ? {OBJECT} : {{ a = word, b = "c" }}',
    "a condition": f"{LIST} == [1] ? 1 : 2",
    "an argument": f"toJSON({OBJECT})",
    "an argument of an argument": f"toBase64(toJSON({{ x = {OBJECT} }}))",
    "counted": f"length({LIST})",
    "spread": f"max({LIST}...)",
    "entries": f"entries({OBJECT})",
    "looked up": f'lookup({OBJECT}, word, "d")',
    "an element": f"element({LIST}, size)",
    "a secret": f"secret({OBJECT})",
    "tried": f"try({LIST}, [1])",
    "a key": f"{{ (toJSON({LIST})) = 1 }}",
    "the only one": "singleOrNone([ # c1c\n  size ])",
    "an empty list": "[\n  # c1c\n]",
    "an empty object": "{\n  # c1c\n}",
}
GIVEN = 'config size int {}\n\nconfig word string {}\n\nconfig names "list(string)" {}\n\n'


@pytest.mark.parametrize("place", VALUES)
def test_comments_inside_values_stand_once(place: str) -> None:
    value = VALUES[place]
    assert counted({"main.pp": f"{GIVEN}v = {value}\n\noutput o {{\n  value = v\n}}\n"}) == {}
    assert counted({"main.pp": f"{GIVEN}output o {{\n  value = {value}\n}}\n"}) == {}
    assert counted({"main.pp": f'{GIVEN}resource r "{PET}" {{\n  keepers = {{ x = toJSON({value}) }}\n}}\n'}) == {}


BODIES = {
    "an input": 'prefix = "b" # c1c',
    "inputs": '# c1c\nprefix = "b" # c2c\n# c3c\nlength = 2\n# c4c',
    "nothing": "# c1c",
    "a range over a list": 'options {\n  range = ["a", # c1c\n  "b"] # c2c\n}',
    "a range over a map": 'options {\n  range = { x = "a", # c1c\n  y = "b" }\n}',
    "a number as range": "options {\n  # c1c\n  range = 2 # c2c\n}",
    "paths": "options {\n  ignoreChanges = [prefix, # c1c\n  separator] # c2c\n}",
    "resources": "options {\n  dependsOn = [ # c1c\n  base # c2c\n  ]\n}",
    "an object": 'options {\n  customTimeouts = {\n    # c1c\n    create = "5m" # c2c\n  }\n}',
    "objects": 'options {\n  aliases = [{ name = "x" # c1c\n  }]\n}',
    "hooks": "options {\n  hooks = { beforeCreate = [h # c1c\n  ] }\n}",
    "around options": "# c1c\noptions { # c2c\n  # c3c\n  protect = true # c4c\n  # c5c\n} # c6c\n# c7c",
    "no options": "options {\n  # c1c\n}",
    "a name": '# c1c\n__logicalName = "n" # c2c\nprefix = "x"',
}


@pytest.mark.parametrize("place", BODIES)
def test_comments_inside_resources_stand_once(place: str) -> None:
    hook = 'hook resource h {\n  command = ["a", # c90c\n    word] # c91c\n}\n\n' if place == "hooks" else ""
    base = f'resource base "{PET}" {{\n}}\n\n'
    assert counted({"main.pp": f'{GIVEN}{hook}{base}# c80c\nresource r "{PET}" {{ # c81c\n{BODIES[place]}\n}} # c82c\n'}) == {}


BLOCKS = {
    "a package before others": '# c1c\npackage { # c2c\n  # c3c\n  baseProviderName = "random" # c4c\n} # c5c\n\nv = 1\n',
    "a package at the end": 'v = 1\n\n# c1c\npackage {\n  baseProviderName = "random" # c2c\n  # c3c\n}\n# c4c\n',
    "settings": '# c1c\npulumi { # c2c\n  # c3c\n  requiredVersionRange = ">=3.0.0" # c4c\n  # c5c\n} # c6c\n',
    "no settings": "pulumi {\n  # c1c\n}\n",
    "a list as default": 'config c "list(number)" {\n  default = [1, # c1c\n  2] # c2c\n}\n',
    "an object as default": 'config c "map(number)" {\n  default = { a = 1, # c1c\n  b = 2 }\n}\n',
    "a secret": 'config c "list(number)" {\n  secret = true # c1c\n  default = [1]\n}\n',
    "config without a default": 'config c "list(number)" {\n  # c1c\n}\n',
    "what is read": f'read q "{PET}" {{\n  # c1c\n  id = "x" # c2c\n  # c3c\n}}\n',
    "a component without a source": 'component c {\n  token = "a:b:C" # c1c\n  # c2c\n}\n',
    "a described output": '# c1c\noutput o { # c2c\n  # c3c\n  description = "Hi." # c4c\n  # c5c\n  value = 1 # c6c\n} # c7c\n',
    "nothing else": "# c1c\n",
    "the end": "v = 1\n# c1c\n\n/* c2c\n   c3c */",
    "the end without a newline": "v = 1 # c1c\n# c2c",
}


@pytest.mark.parametrize("place", BLOCKS)
def test_comments_around_blocks_stand_once(place: str) -> None:
    assert counted({"main.pp": BLOCKS[place]}) == {}


HEADERS = {
    "code": "# Use:\n#\n#     run it\n# then\n",
    "two empty lines": "# a\n#\n#\n# b\n",
    "an empty line first": "#\n# a\n",
    "an empty line last": "# a\n#\n",
    "a line end of another language": "# \v a\n",
    "a tab": "#\ta\n# b\n",
    "a link": "# [a]: http://example.com\n",
    "far in": "#    a\n",
    "a list in text": "# a\n#  - b\n#      c\n# d\n",
}


@pytest.mark.parametrize("header", HEADERS.values(), ids=list(HEADERS))
def test_comments_of_people_are_no_documentation_to_gofmt(header: str, tmp_path: Path) -> None:
    """gofmt formats the comment right above a declaration."""
    program = {
        "main.pp": f'{header}\ncomponent w "./worker" {{\n  x = "a"\n}}\n',
        "worker/main.pp": f"{header}\n{header.replace('a', 'c')}config x string {{\n}}\n\n{header}output o {{\n  value = x\n}}\n",
    }
    result = pclgen.generate(program, languages=["go"], program_only=True)
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    for path, text in result.files["go"].items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    assert compilers.check_gofmt({"web": tmp_path}) == {"web": []}
