"""Every page with commands, settings or code has a test that runs them; the short guides are run here.

The guides share one repository: the program `website`, which uses a small provider `aws`.
"""

from __future__ import annotations

import io
import json
import re
import shutil
from collections.abc import Mapping
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import yaml

import pclgen
from pclgen.evaluate.models import EchoModel
from pclgen.trace.compare import Difference
from pclgen.trace.model import Secret, SourcePlace
from pclgen.trace.render import render_difference
from pclgen.verify.running import Place, places_in
from tests.support import pages
from tests.support.corpus import ROOT
from tests.support.plugin import ARGUMENTS

DOCS = ROOT / "docs"

ELSEWHERE = {
    "functions.md": "test_functions_command.py",
    "guides/editors.md": "test_editor_zed.py",
    "guides/library.md": "test_readme.py",
    "guides/monorepo.md": "test_guides.py",
    "guides/provider-examples.md": "test_docs_guide.py",
    "guides/pulumi-convert.md": "test_pulumi_cli.py",
    "guides/template-repository.md": "test_guides.py",
    "language.md": "test_reference_pages.py",
    "serve.md": "test_serve.py",
    "tutorial.md": "test_documentation.py",
}
"""Pages whose fences other test modules run."""

STRING = {"type": "string"}
TAGS = {"type": "object", "additionalProperties": STRING}
SITE = {
    "inputProperties": {"bucket": STRING, "tags": TAGS},
    "properties": {"bucket": STRING, "arn": STRING},
    "required": ["arn"],
}
INSTANCE = {"inputProperties": {"instanceType": STRING, "tags": TAGS}}
AWS = {
    "name": "aws",
    "version": "7.48.0",
    "meta": {"moduleFormat": "(.*)(?:/[^/]*)"},
    "resources": {"aws:s3/bucket:Bucket": SITE, "aws:ec2/instance:Instance": INSTANCE},
    "functions": {"aws:index/getRegion:getRegion": {"outputs": {"properties": {"name": STRING}}}},
}
PROGRAM = """\
config region string {
}

resource site "aws:s3:Bucket" {
  bucket = "site-${region}"
}

resource network "pulumi:pulumi:StackReference" {
  name = "organization/network/prod"
}

output arn {
  value = site.arn
}

output where {
  value = invoke("aws:index:getRegion", {}).name
}

output vpc {
  value = network.outputs.vpcId
}
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with only the program `website` and the schemas."""
    (tmp_path / "website").mkdir()
    (tmp_path / "website" / "main.pp").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "aws-7.48.0.json").write_text(json.dumps(AWS), encoding="utf-8")
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / ".cache"))
    return tmp_path


def fences(page: str, *languages: str) -> list[str]:
    """The contents of a page's fences in these languages."""
    return [text for language, text, _ in pages.pieces(DOCS / page) if language in languages]


def commands(page: str) -> list[str]:
    """The pclgen commands of a page, without comments."""
    lines = [line.removeprefix("$ ") for text in fences(page, "sh", "console") for line in text.splitlines()]
    return [re.sub(r"\s+#.*", "", line) for line in lines if line.startswith("pclgen ")]


def run(page: str, expected: Mapping[str, int]) -> list[str]:
    """Run all commands of a page in order and return their outputs; `expected` holds their exit statuses."""
    assert commands(page) == list(expected)
    outputs = []
    for command, status in expected.items():
        ended, output = pages.run(Path(), command)
        assert ended == status, f"{command}\n{output}"
        outputs.append(output)
    return outputs


def test_every_page_with_fences_is_run() -> None:
    with_fences = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md") if "```" in path.read_text(encoding="utf-8")}
    own = set(re.findall(r'(?:run|fences|commands)\("([\w/-]+\.md)"', Path(__file__).read_text(encoding="utf-8")))
    described = {page for page in with_fences if page.startswith(("reference/", "contributing/", "explanation/"))}
    assert own | set(ELSEWHERE) == with_fences - described
    for page, module in ELSEWHERE.items():
        assert Path(page).name in (ROOT / "tests" / module).read_text(encoding="utf-8"), f"{module} does not read {page}"


def test_the_start_page() -> None:
    pip, *rest = fences("index.md", "sh")[0].splitlines()
    assert pip.startswith("pip install ") and rest == ["pclgen init --example pets", "pclgen build"]


def test_the_start_page_is_followed(repository: Path) -> None:
    shutil.rmtree(repository / "website")
    run("index.md", {"pclgen init --example pets": 0, "pclgen build": 0})
    assert {path.name for path in (repository / "build" / "pets").iterdir()} == {"python", "typescript", "go"}


def test_build(repository: Path) -> None:
    outputs = run("guides/build.md", {"pclgen init": 0, "pclgen build": 0})
    assert outputs[1].splitlines()[-1] == "built 1 program: 1 generated"
    assert (repository / "pclgen.toml").is_file() and (repository / "build" / "website" / "go" / "main.go").is_file()


def test_ci(repository: Path) -> None:
    github, gitlab = fences("guides/ci.md", "yaml")
    assert [step["uses"].partition("@")[0] for step in yaml.safe_load(github)] == ["actions/checkout", "pclgen/pclgen"]
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    job = yaml.safe_load(gitlab)["pclgen"]
    install, build = job["script"]
    command, _, report = build.partition(" > ")
    assert install == "pip install pclgen" and job["artifacts"]["paths"] == [report]
    assert pages.run(repository, f"pclgen {action['inputs']['command']['default']}")[0] == 1, "nothing is generated yet"
    assert pages.run(repository, "pclgen build")[0] == 0
    status, output = pages.run(repository, command)
    assert status == 0 and json.loads(output)["version"] == "2.1.0"
    assert pages.run(repository, f"pclgen {action['inputs']['command']['default']}")[0] == 0
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    text = (DOCS / "guides" / "ci.md").read_text(encoding="utf-8")
    assert all(f"`{hook['id']}`" in text for hook in hooks)


def test_evaluate(repository: Path) -> None:
    [replay] = fences("guides/evaluate.md", "json")
    tree, preview = commands("guides/evaluate.md")
    assert pages.run(repository, f"{tree} --replay nowhere.json")[0] == 2
    (repository / "answers.json").write_text(replay, encoding="utf-8")
    status, output = pages.run(repository, f"{tree} --replay answers.json")
    assert status == 0, output
    assert 'bucket = "site-eu"' in output
    assert output.endswith('  arn   = "arn:aws:s3:::site-1a2b"\n  where = "eu-west-1"\n  vpc   = "vpc-1"\n')
    status, output = pages.run(repository, f"{preview} --config region=eu --replay answers.json")
    assert status == 0 and json.loads(output)
    with (repository / "website" / "main.pp").open("a", encoding="utf-8") as file:
        file.write('\nresource logs "aws:s3:Bucket" {\n}\n')
    status, output = pages.run(repository, f"{tree} --replay answers.json")
    assert status == 1 and "quota exceeded" in output


def test_a_model_of_a_provider(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [snippet] = fences("guides/evaluate.md", "python")
    names: dict[str, Any] = {}
    exec(compile(snippet, "evaluate.md", "exec"), names)
    monkeypatch.setattr(pclgen, "evaluate_program", partial(pclgen.evaluate_program, schemas=[repository / "schemas"]))
    with redirect_stdout(io.StringIO()) as printed:
        names["show"](EchoModel())
    assert "aws:s3/bucket:Bucket::site {'bucket': 'site-eu'} " in printed.getvalue()


def test_schemas(repository: Path) -> None:
    (repository / "schemas" / "aws-7.48.0.json").rename(repository / "aws.json")
    shutil.copy(repository / "aws.json", repository / "shop.json")
    add, show, check = commands("guides/schemas.md")
    status, output = pages.run(repository, add)
    assert status == 1 and "of package `aws` was found" in output, "there is no SDK of this provider"
    assert pages.run(repository, f"{add} --from aws.json")[0] == 0
    assert {path.name for path in (repository / "schemas").iterdir()} == {"aws-7.48.0.json", "pclgen.lock"}
    status, output = pages.run(repository, show)
    assert status == 0 and "bucket" in output and "arn" in output
    assert pages.run(repository, check)[0] == 0


def test_snapshot_tests(repository: Path) -> None:
    [module] = fences("guides/snapshot-tests.md", "python")
    (repository / "templates").mkdir()
    (repository / "website").rename(repository / "templates" / "website")
    (repository / "test_all.py").write_text(module, encoding="utf-8")
    (repository / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    arguments = [*ARGUMENTS, "-p", "no:cacheprovider", "-q"]
    assert pages.run(repository, "pytest", *arguments)[0] == 1, "there are no snapshots yet"
    assert pages.run(repository, "pytest", *arguments, "--snapshot-update")[0] == 0
    named = "__snapshots__/templates/website/python/__main__.py"
    assert f"`{named}`" in (DOCS / "guides" / "snapshot-tests.md").read_text(encoding="utf-8")
    assert (repository / named.replace("__snapshots__/", "__snapshots__/test_all/")).is_file()
    assert pages.run(repository, "pytest", *arguments)[0] == 0


def test_source_maps(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("guides/source-maps.md", {"pclgen generate website --out 'out/{language}' --source-map": 0})
    maps = {path.name for path in (repository / "out").rglob("*.map")}
    assert maps == {"__main__.py.map", "index.ts.map", "main.go.map"}
    [snippet] = fences("guides/source-maps.md", "python")
    monkeypatch.chdir(ROOT)
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(snippet, "source-maps.md", "exec"), {})
    assert re.search(r"^\d+ resource \w+ ", printed.getvalue(), re.MULTILINE)


def test_verify() -> None:
    """The tutorial and tests/test_verify_command.py run the command; this test checks the output that the guide shows.

    tests/test_verify_hcl.py has a value that differs. tests/test_verify_failed_runs.py runs programs that fail: the second
    message has lines in the format that it reads.
    """
    differs, failed, shown = fences("guides/verify.md", "text")
    assert differs.startswith("website, hcl, run:\n  main.pp:8:1: output `double`: ")
    reason, _, origin = failed.rstrip().rpartition("\n")
    assert places_in(reason) == (Place(PurePosixPath("index.ts"), 5), Place(PurePosixPath("index.ts"), 16))
    assert origin == "  from website/main.pp:9:1: output `found`"
    place = SourcePlace(file="main.pp", line=17, column=3)
    difference = Difference(
        urn="urn:pulumi:dev::p::command:local:Command::run", type="command:local:Command", name="run",
        path="inputs.environment.TOKEN", left=Secret("t0ken"), right="t0ken", reason="secret on the left only", place=place,
    )  # fmt: skip  # a line for the program, a line for the difference
    assert render_difference(difference, left="evaluator", right="go") == shown


def test_view(repository: Path) -> None:
    server, html = commands("guides/view.md")
    assert html.startswith(f"{server} --html website.html ")
    assert pages.run(repository, html)[0] == 0
    assert "site-eu-west-1" in (repository / "website.html").read_text(encoding="utf-8")


def test_own_functions(repository: Path) -> None:
    """The pack of the page replaces the pack of the example; the program of the page calls it."""
    example = ROOT / "examples" / "own-functions"
    shutil.copytree(example / "tools", repository / "tools")
    [module] = fences("own-functions.md", "python")
    [settings] = fences("own-functions.md", "toml")
    (repository / "tools" / "functions.py").write_text(module, encoding="utf-8")
    (repository / "pclgen.toml").write_text(settings, encoding="utf-8")
    for name in ("acme.py", "acme.ts", "acme.go"):
        shutil.copy(repository / "tools" / name, repository / name)
    program = 'output tags {\n  value = acme::tags("Web", "prod")\n}\n'
    (repository / "website" / "main.pp").write_text(program, encoding="utf-8")
    (repository / "pclgen.toml").write_text(settings.splitlines()[0] + "\n" + settings.splitlines()[1] + "\n", encoding="utf-8")
    status, output = pages.run(repository, "pclgen evaluate website --allow-functions")
    assert status == 0 and "web" in output and "prod" in output, output
    status, output = pages.run(repository, "pclgen check website")
    assert status == 1 and "PCL0601" in output
    [call] = fences("own-functions.md", "pcl")
    called = set(re.findall(r"acme::(\w+)", call))
    assert called <= set(re.findall(r'name="(\w+)"', (example / "tools" / "functions.py").read_text(encoding="utf-8")))


def test_packs(repository: Path) -> None:
    pack, generate = commands("packs.md")
    assert pages.run(repository, pack)[0] == 0
    assert pages.run(repository, "pclgen generate website")[0] == 0
    home = (repository / "build").rename(repository / "home")
    shutil.rmtree(repository / "website")
    shutil.rmtree(repository / "schemas")
    assert pages.run(repository, generate)[0] == 0
    files = {path.relative_to(home): path.read_bytes() for path in home.rglob("*.*") if path.is_file()}
    again = {path: (repository / "build" / path).read_bytes() for path in files}
    assert len(files) > 10 and {path for path in files if files[path] != again[path]} == set()


def test_policies(repository: Path) -> None:
    [policy] = fences("policies.md", "toml")
    [message] = fences("policies.md", "text")
    (repository / "policy.toml").write_text(policy, encoding="utf-8")
    (repository / "pclgen.toml").write_text('policies = ["policy.toml"]\n', encoding="utf-8")
    (repository / "website" / "main.pp").write_text('resource site "aws:s3:Bucket" {\n  bucket = "x"\n}\n', encoding="utf-8")
    status, output = pages.run(repository, "pclgen check website")
    assert status == 1 and output.startswith(message), output


def test_templates(repository: Path) -> None:
    listing, start, generate = commands("templates.md")
    status, output = pages.run(repository, listing)
    assert status == 0 and "python/statements/construct.jinja" in output
    status, output = pages.run(repository, start)
    assert status == 0 and "{{ s." in output
    (repository / "house" / "python").mkdir(parents=True)
    [head] = fences("templates.md", "jinja")
    (repository / "house" / "python" / "_head.jinja").write_text(head, encoding="utf-8")
    (repository / "house" / "house").mkdir()
    (repository / "house" / "house" / "license.jinja").write_text("Licensed to the house.", encoding="utf-8")
    assert pages.run(repository, f"{generate} --language python --out out")[0] == 0
    [program] = (repository / "out").rglob("__main__.py")
    assert program.read_text(encoding="utf-8").startswith("# Licensed to the house.\n")
    [settings] = fences("templates.md", "toml")
    (repository / "pclgen.toml").write_text(settings.replace('"house/legacy"', '"house"'), encoding="utf-8")
    assert pages.run(repository, "pclgen build")[0] == 0
    [program] = (repository / "build").rglob("__main__.py")
    assert program.read_text(encoding="utf-8").startswith("# Licensed to the house.\n")


def test_packages(repository: Path) -> None:
    """Write the settings and the index of the page as a project and a folder of packages."""
    project, providers, package = fences("packages.md", "toml")
    index = json.loads(fences("packages.md", "json")[0])
    assert sorted(index["packages"]) == ["network"]
    network = repository / "network"
    for name in ("vpc", "peering"):
        (network / name).mkdir(parents=True)
        (network / name / "main.pp").write_text("config cidr string {\n}\n", encoding="utf-8")
    (network / "pclgen.toml").write_text(re.sub(r"\[dependencies\]\n.*\n", "", package), encoding="utf-8")
    status, output = pages.run(repository, "pclgen deps publish --project network --index packages")
    assert status == 0, output
    published = json.loads((repository / "packages" / "index.json").read_text(encoding="utf-8"))
    entry, shown = published["packages"]["network"][0], index["packages"]["network"][0]
    assert set(entry) | {"dependencies"} >= set(shown) and published["format"] == index["format"]
    settings = re.sub(r'indexes = .*', 'indexes = ["packages"]', project) + providers
    (repository / "pclgen.toml").write_text(settings, encoding="utf-8")
    (repository / "website" / "main.pp").write_text(pages_component(), encoding="utf-8")
    assert pages.run(repository, "pclgen deps install")[0] == 0
    status, output = pages.run(repository, "pclgen check website")
    assert status == 0, output


def pages_component() -> str:
    """The program of the page that uses a package."""
    match = re.search(r"^```\n(component web \"network/vpc\".*?)^```$", (DOCS / "packages.md").read_text("utf-8"), re.M | re.S)
    assert match is not None
    return match[1]
