"""Which schema a program gets: order of sources, versions, configuration, lock file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import pclgen
from pclgen.schema.cache import SchemaCache
from pclgen.schema.config import ConfigurationError, SourceKind, find_configuration
from pclgen.schema.discovery import Settings, find_project, open_store
from pclgen.schema.errors import BadSchema, Lacking, NotFound, report_missing
from pclgen.schema.fetch import add, expected, fetch
from pclgen.schema.load import FindResult, SchemaStore
from pclgen.schema.package import FoundPackage
from pclgen.schema.sources import BasePlugin, Requirement, SchemaSource
from pclgen.source.text import SourceFile
from tests.support.bigschemas import CountingSource
from tests.support.corpus import ROOT
from tests.support.schemas import Schema, write_schema

SPAN = SourceFile("main.pp", 'resource a "shop:index:Cart" {}').span(11, 28)


def schema(version: str = "1.0.0", **more: object) -> Schema:
    return {"name": "shop", "version": version, "resources": {"shop:index:Cart": {}}, **more}


def source(version: str = "1.0.0", **more: object) -> CountingSource:
    return CountingSource("shop", json.dumps(schema(version, **more)).encode(), version=version)


def version_of(package: FindResult) -> str:
    assert isinstance(package, FoundPackage), package
    return package.package.version


ELSEWHERE = "a configuration may be untrusted and names loopback addresses only: use `--loader` or PCLGEN_LOADER"


class TestOrder:
    def test_a_later_source_is_asked_only_when_no_earlier_one_has_the_package(self, tmp_path: Path) -> None:
        write_schema(tmp_path, schema("1.0.0"))
        slow, slower = source("2.0.0"), source("3.0.0")
        store = SchemaStore([tmp_path], later=[slow, slower])
        assert version_of(store.find("shop")) == "1.0.0"
        assert (slow.asked, slower.asked) == ([], [])
        assert version_of(store.find("shop", "3.0.0")) == "3.0.0"
        assert (slow.reads, slower.reads) == (0, 1)

    def test_a_later_source_is_made_when_it_is_asked(self, tmp_path: Path) -> None:
        write_schema(tmp_path, schema())
        created: list[CountingSource] = []

        def make() -> SchemaSource:
            created.append(source("2.0.0"))
            return created[-1]

        store = SchemaStore([tmp_path], later=[make])
        store.find("shop")
        assert created == []
        assert version_of(store.find("shop", "2.0.0")) == "2.0.0"
        assert store.find("shop", "2.0.0") is store.find("shop", "v2.0.0") or len(created) == 1

    def test_a_source_that_does_not_have_it_after_all(self) -> None:
        first = CountingSource("shop", Lacking(reason="the registry does not know it"))
        second = source()
        assert version_of(SchemaStore(later=[first, second]).find("shop")) == "1.0.0"
        missing = SchemaStore(later=[first]).find("shop")
        assert isinstance(missing, NotFound)
        assert missing.tried == ("the source of shop (the registry does not know it)",)

    def test_a_source_that_fails_is_not_passed_over(self) -> None:
        first = CountingSource("shop", BadSchema(name="shop", where="it", reason="it crashed"))
        second = source()
        assert isinstance(SchemaStore(later=[first, second]).find("shop"), BadSchema)
        assert second.asked == []

    def test_asking_again_asks_nobody(self) -> None:
        slow = source()
        store = SchemaStore(later=[slow])
        for _ in range(3):
            store.find("shop")
            store.find("nobody")
        assert (len(slow.asked), slow.reads) == (3, 1), "one for each package, one for the list of versions"

    def test_what_is_not_found_names_sources_and_commands(self) -> None:
        missing = SchemaStore(later=[source(), CountingSource("mart", b"")]).find("shpo")
        assert isinstance(missing, NotFound)
        diagnostic = report_missing(missing, SPAN)
        assert diagnostic.notes[0].message == "searched the source of shop and the source of mart"
        assert diagnostic.help == "did you mean `shop`?"
        missing = SchemaStore(later=[CountingSource("mart", b""), CountingSource("mart", b"")]).find("entirely-new")
        assert isinstance(missing, NotFound)
        assert report_missing(missing, SPAN).help == (
            "run `get entirely-new` or `pclgen schema add entirely-new --from FILE` to get the schema"
        )

    def test_answers_in_another_version(self, tmp_path: Path) -> None:
        missing = SchemaStore(later=[source("2.0.0")]).find("shop", "1.0.0")
        assert isinstance(missing, NotFound)
        assert missing.versions == ("2.0.0",)
        assert report_missing(missing, SPAN).help == (
            "use an available version, or run `get shop` or `pclgen schema add shop@1.0.0 --from FILE` to get the schema"
        )


class TestVersions:
    def test_a_package_block_describes_a_parameterized_package(self, tmp_path: Path) -> None:
        asked = source("3.6.0")
        store = SchemaStore(later=[asked])
        program = """
package {
  baseProviderName        = "terraform-provider"
  baseProviderVersion     = "0.8.1"
  baseProviderDownloadUrl = "https://example.org/plugins"
  parameterization {
    name    = "shop"
    version = "3.6.0"
    value   = "eyJ9"
  }
}
resource cart "shop:index:Cart" {
}
"""
        result = pclgen.check({"main.pp": program}, store=store)
        assert [d.message for d in result.diagnostics] == []
        assert asked.asked[0] == Requirement(
            name="shop",
            version="3.6.0",
            download_url="https://example.org/plugins",
            base=BasePlugin(name="terraform-provider", version="0.8.1", parameter="eyJ9"),
        )

    def test_two_programs_with_two_versions_share_a_store(self, tmp_path: Path) -> None:
        for version in ("1.0.0", "2.0.0"):
            write_schema(tmp_path, schema(version))
        store = SchemaStore([tmp_path])
        for version in ("1.0.0", "2.0.0"):
            block = f'package {{\n  baseProviderName = "shop"\n  baseProviderVersion = "{version}"\n}}\n'
            result = pclgen.check({"main.pp": block + 'resource cart "shop:index:Cart" {\n}\n'}, store=store)
            assert result.program is not None
            assert [package.version for package in result.program.packages] == [version]
        assert [(choice.version, choice.why) for choice in store.choices()] == [
            ("1.0.0", "its `package` block says so"),
            ("2.0.0", "its `package` block says so"),
        ]

    def test_components_may_use_another_version(self, tmp_path: Path) -> None:
        for version in ("1.0.0", "2.0.0"):
            write_schema(tmp_path, schema(version))
        block = 'package {\n  baseProviderName = "shop"\n  baseProviderVersion = "1.0.0"\n}\n'
        program = {
            "main.pp": 'component part "./part" {\n}\nresource cart "shop:index:Cart" {\n}\n',
            "part/main.pp": block + 'resource cart "shop:index:Cart" {\n}\n',
        }
        store = SchemaStore([tmp_path])
        assert pclgen.check(program, store=store).program is not None
        assert [choice.version for choice in store.choices()] == ["1.0.0", "2.0.0"]

    def test_the_chosen_version_is_written_to_the_project_files(self, tmp_path: Path) -> None:
        for version in ("1.0.0", "2.0.0"):
            write_schema(tmp_path, schema(version))
        program = {"main.pp": 'resource cart "shop:index:Cart" {\n}\n'}
        for requirements, version in (({}, "2.0.0"), ({"shop": Requirement(name="shop", version="1.0.0")}, "1.0.0")):
            result = pclgen.generate(program, store=SchemaStore([tmp_path], requirements=requirements))
            for language, file in (("python", "requirements.txt"), ("typescript", "package.json"), ("go", "go.mod")):
                files = {str(path): text for path, text in result.files[language].items()}
                assert version in files[file], files[file]

    @pytest.mark.parametrize(
        ("program", "version"),
        [
            ('resource a "shop:Cart" {\n  options {\n    version = "1.0.0"\n  }\n}\n', "1.0.0"),
            ('resource a "shop:Cart" {\n}\nb = invoke("shop:get", {}, { version = "1.0.0" })\n', "1.0.0"),
            (
                'resource a "shop:Cart" {\n  options {\n    version = "1.0.0"\n  }\n}\n'
                'resource b "shop:Cart" {\n  options {\n    version = "2.0.0"\n  }\n}\n',
                "2.0.0",
            ),
            ('resource a "shop:Cart" {\n  options {\n    version = "9.0.0"\n  }\n}\n', "3.0.0"),
            ('resource a "shop:Cart" {\n}\nresource b "mart:Cart" {\n  options {\n    version = "1.0.0"\n  }\n}\n', "3.0.0"),
        ],
    )
    def test_the_option_of_resources_and_invokes(self, tmp_path: Path, program: str, version: str) -> None:
        """A project has one SDK of a package: the highest requested version that exists, else the highest version."""
        for number in (1, 2, 3):
            functions: Schema = {"shop:index:get": {"outputs": {"properties": {}}}}
            write_schema(tmp_path, schema(f"{number}.0.0", functions=functions))
        write_schema(tmp_path, {"name": "mart", "version": "1.0.0", "resources": {"mart:index:Cart": {}}})
        result = pclgen.check({"main.pp": program}, schemas=[tmp_path])
        assert result.program is not None, result.diagnostics
        assert {package.name: package.version for package in result.program.packages}["shop"] == version

    @pytest.mark.parametrize(
        "program",
        [
            'resource a "shop:Cart" {\n  options {\n    pluginDownloadURL = "https://example.org/p"\n  }\n}\n',
            'a = invoke("shop:get", {}, { pluginDownloadUrl = "https://example.org/p" })\n',
        ],
    )
    def test_sources_receive_the_url_of_the_plugin(self, program: str) -> None:
        asked = source(functions={"shop:index:get": {"outputs": {"properties": {}}}})
        assert pclgen.check({"main.pp": program}, store=SchemaStore(later=[asked])).program is not None
        assert asked.asked == [Requirement(name="shop", download_url="https://example.org/p")]

    def test_a_pinned_version_goes_over_the_option(self, tmp_path: Path) -> None:
        for version in ("1.0.0", "2.0.0"):
            write_schema(tmp_path, schema(version))
        option = 'resource a "shop:Cart" {\n  options {\n    version = "1.0.0"\n  }\n}\n'
        block = 'package {\n  baseProviderName = "shop"\n  baseProviderVersion = "2.0.0"\n}\n'
        for program, requirements in (({"main.pp": option}, {"shop": Requirement(name="shop", version="2.0.0")}), ({"main.pp": block + option}, {})):
            result = pclgen.check(program, store=SchemaStore([tmp_path], requirements=requirements))
            assert result.program is not None
            assert [package.version for package in result.program.packages] == ["2.0.0"]

    def test_an_unknown_package_is_one_mistake(self) -> None:
        program = {"main.pp": 'resource a "shop:A" {\n}\nresource b "shop:B" {\n}\nc = invoke("shop:c", {})\n'}
        assert [d.code for d in pclgen.check(program).diagnostics] == ["PCL0302"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a program in it."""
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    program = tmp_path / "repo" / "infra" / "web"
    program.mkdir(parents=True)
    (program / "main.pp").write_text('resource cart "shop:index:Cart" {\n}\n')
    return tmp_path / "repo"


def store_of(project: Path, settings: Settings | None = None, **environment: str) -> SchemaStore:
    configured = find_project(project / "infra" / "web", settings or Settings(), {"PCLGEN_SOURCES": "files", **environment})
    return open_store(configured, SchemaCache(None))


class TestConfiguration:
    def test_the_nearest_file_counts(self, project: Path, tmp_path: Path) -> None:
        (tmp_path / "pclgen.toml").write_text("this is above the repository")
        assert find_configuration(project / "infra" / "web").path is None
        (project / "pclgen.toml").write_text('[packages.shop]\nversion = "1.0.0"\n')
        assert find_configuration(project / "infra" / "web").path == project / "pclgen.toml"
        (project / "infra" / "pyproject.toml").write_text('[tool.pclgen.packages.shop]\nversion = "2.0.0"\n')
        configuration = find_configuration(project / "infra" / "web")
        assert configuration.versions == {"shop": ("2.0.0", "pinned in pyproject.toml [tool.pclgen]")}
        (project / "infra" / "web" / "pyproject.toml").write_text('[project]\nname = "x"\n')
        assert find_configuration(project / "infra" / "web") == configuration, "a file that says nothing about pclgen"

    def test_everything(self, project: Path) -> None:
        write_schema(project / "vendor", schema("1.0.0"))
        write_schema(project / "vendor", schema("2.0.0"))
        (project / "pclgen.toml").write_text(
            """
schemas = ["vendor"]
sources = ["files", "plugin"]
sdk-folders = ["venv"]
loader = "127.0.0.1:1"
time-limit = 2.5
cache-size = 10

[packages.shop]
version = "v1.0.0"

[packages.shop.language.go]
importBasePath = "example.org/fork/go/shop"
"""
        )
        configuration = find_configuration(project / "infra" / "web")
        assert configuration.sources == (SourceKind.FILES, SourceKind.PLUGIN)
        assert configuration.sdk_folders == (project / "venv",)
        assert (configuration.loader, configuration.time_limit, configuration.cache_size) == ("127.0.0.1:1", 2.5, 10)
        answer = store_of(project).find("shop")
        assert version_of(answer) == "1.0.0"
        assert isinstance(answer, FoundPackage)
        assert answer.package.language == {"go": {"importBasePath": "example.org/fork/go/shop"}}
        isolated = store_of(project, Settings(isolated=True)).find("shop")
        assert isinstance(isolated, NotFound)

    def test_the_command_line_goes_over_the_environment_over_the_file(self, project: Path) -> None:
        (project / "pclgen.toml").write_text('loader = "localhost:1"\nsources = ["sdk"]\ntime-limit = 1\n')
        environment = {"PCLGEN_LOADER": "env:1", "PCLGEN_SOURCES": "files, cli", "PCLGEN_TIME_LIMIT": "2"}
        place = project / "infra"
        settings = find_project(place, Settings(), {}).settings
        assert (settings.loader, settings.sources, settings.time_limit) == ("localhost:1", (SourceKind.SDK,), 1)
        settings = find_project(place, Settings(), environment).settings
        assert (settings.loader, settings.sources, settings.time_limit) == ("env:1", (SourceKind.FILES, SourceKind.CLI), 2)
        options = Settings(loader="line:1", sources=(SourceKind.LOADER,), time_limit=3)
        settings = find_project(place, options, environment).settings
        assert (settings.loader, settings.sources, settings.time_limit) == ("line:1", (SourceKind.LOADER,), 3)

    @pytest.mark.parametrize(
        ("text", "message", "hint"),
        [
            ("schemas = ]", ":1:11: not valid TOML: invalid value", None),
            ("\n\nscheams = []\n", ":3:1: unknown setting `scheams`", "did you mean `schemas`?"),
            ("[packages.shop]\nverison = '1'\n", ":2:1: unknown setting `verison`", "did you mean `version`?"),
            ("time-limit = 'soon'\n", ":1:1: `time-limit`: expected a number, got a text", None),
            ("[packages.shop]\nversion = 'new'\n", ":2:1: expected a version such as 1.2.3, found `new`", None),
            ("sources = ['files', 'pluign']\n", ":1:1: there is no kind of source `pluign`", "did you mean `plugin`?"),
            ("time-limit = 0\n", ":1:1: `time-limit` must be greater than 0", None),
            *(
                (f"loader = '{place}'\n", f":1:1: `{place}` is not on this machine", ELSEWHERE)
                for place in ("example.org:1", "10.0.0.1:1", "[2001:db8::1]:1", "localhost.example.org:1", "127.0.0.1", "")
            ),
            ("schemas = ['nowhere']\n", ":1:1: `nowhere` does not exist", "it is looked for in {folder}"),
            ("packages = 3\n", ":1:1: `packages`: expected a table, got a whole number", None),
        ],
    )
    def test_mistakes(self, project: Path, text: str, message: str, hint: str | None) -> None:
        path = project / "pclgen.toml"
        path.write_text(text)
        with pytest.raises(ConfigurationError) as caught:
            find_configuration(project / "infra")
        assert str(caught.value) == f"{path}{message}"
        assert caught.value.hint == (hint.format(folder=project) if hint is not None else None)

    @pytest.mark.parametrize("text", ["0", "soon", "-1", "nan"])
    def test_a_time_limit_of_the_environment(self, project: Path, text: str) -> None:
        with pytest.raises(ConfigurationError, match="expected a number of seconds"):
            find_project(project, Settings(), {"PCLGEN_TIME_LIMIT": text})

    def test_bytes_that_are_no_text(self, project: Path) -> None:
        (project / "pclgen.toml").write_bytes(b"\xff\xfe")
        with pytest.raises(ConfigurationError, match="not UTF-8"):
            find_configuration(project)

    def test_packages_of_a_pulumi_yaml(self, project: Path) -> None:
        program = project / "infra" / "web"
        write_schema(program / "own", {"name": "mart", "version": "1.0.0"}, "mart.json")
        write_schema(project / "schemas", schema("1.0.0"))
        write_schema(project / "schemas", schema("2.0.0"))
        (program / "Pulumi.yaml").write_text(
            "name: web\nruntime: pcl\npackages:\n  shop: shop@1.0.0\n  mart: ./own/mart.json\n"
            "  random:\n    source: terraform-provider\n    version: 0.8.1\n    parameters: [hashicorp/random]\n"
        )
        store = store_of(project)
        assert version_of(store.find("shop")) == "1.0.0"
        assert version_of(store.find("mart")) == "1.0.0"
        assert [choice.why for choice in store.choices()] == ["the only version that was found", "pinned in Pulumi.yaml"]

    @pytest.mark.parametrize(
        ("entry", "version"),
        [
            ("1.0.0", "1.0.0"),
            ("v1.0.0", "1.0.0"),
            ("shop@v1.0.0", "1.0.0"),
            ("{source: shop, version: 1.0.0}", "1.0.0"),
            ("shop", "2.0.0"),
            ("./plain", "3.0.0"),
            ("{source: ./plain}", "3.0.0"),
        ],
    )
    def test_ways_to_name_a_package(self, project: Path, entry: str, version: str) -> None:
        program = project / "infra" / "web"
        for text in ("1.0.0", "2.0.0"):
            write_schema(project / "schemas", schema(text))
        write_schema(program / "plain", schema("3.0.0"), "schema.json")
        (program / "Pulumi.yaml").write_text(f"name: web\nruntime: yaml\npackages:\n  shop: {entry}\n")
        assert version_of(store_of(project).find("shop")) == version

    @pytest.mark.parametrize(
        ("entry", "command"),
        [
            ("./component", "./component"),
            ("../more/component", "../more/component"),
            ("github.com/acme/shop@0.2.0", "github.com/acme/shop@0.2.0"),
            ("{source: github.com/acme/shop}", "github.com/acme/shop"),
            ("{source: terraform-provider, version: 0.8.1, parameters: [acme/shop]}", "terraform-provider@0.8.1 acme/shop"),
            ("{source: ./it's, parameters: [--all, a b]}", "'./it'\"'\"'s' --all 'a b'"),
        ],
    )
    def test_packages_that_only_the_pulumi_cli_reads(self, project: Path, entry: str, command: str) -> None:
        program = project / "infra" / "web"
        (program / "Pulumi.yaml").write_text(
            f"name: web\nruntime: yaml\npackages:\n  shop: {entry}\nresources:\n  a: {{type: shop:Cart}}\n"
        )
        [diagnostic] = pclgen.check(program, store=store_of(project)).diagnostics
        assert diagnostic.code == "PCL0302"
        assert [note.message for note in diagnostic.notes] == [
            f"`packages` of the project file gets it from `{command}`, which only the Pulumi CLI reads"
        ]
        assert diagnostic.help == (
            f"run `pulumi package get-schema {command} > shop.json`, then `pclgen schema add shop --from shop.json`"
        )

    def test_a_version_that_is_not_there(self, project: Path) -> None:
        program = project / "infra" / "web"
        write_schema(project / "schemas", schema("1.0.0"))
        (program / "Pulumi.yaml").write_text(
            "name: web\nruntime: yaml\npackages: {shop: 9.0.0}\nresources:\n  a: {type: shop:Cart}\n"
        )
        assert [d.code for d in pclgen.check(program, store=store_of(project)).diagnostics] == ["PCL0303"]


    @pytest.mark.parametrize("place", ["127.0.0.1:1", "localhost:1", "[::1]:1"])
    def test_loaders_on_this_machine(self, project: Path, place: str) -> None:
        (project / "pclgen.toml").write_text(f"loader = '{place}'\n")
        assert find_configuration(project).loader == place


class TestProject:
    def test_the_folder_of_the_project_is_found(self, project: Path) -> None:
        write_schema(project / "schemas", schema())
        assert version_of(store_of(project).find("shop")) == "1.0.0"

    def test_explicit_sources_go_first(self, project: Path, tmp_path: Path) -> None:
        write_schema(project / "schemas", schema("2.0.0"))
        write_schema(tmp_path / "given", schema("1.0.0"))
        assert version_of(store_of(project, Settings(schemas=(tmp_path / "given",))).find("shop")) == "1.0.0"
        assert version_of(store_of(project, PCLGEN_SCHEMAS=str(tmp_path / "given")).find("shop")) == "1.0.0"

    def test_locked_versions(self, project: Path, tmp_path: Path) -> None:
        first = write_schema(tmp_path, schema("1.0.0"))
        add(project / "schemas", fetch(str(first), expected("shop")))
        write_schema(project / "schemas", schema("2.0.0"))
        store = store_of(project)
        assert version_of(store.find("shop")) == "1.0.0"
        assert [choice.why for choice in store.choices()] == ["locked in schemas/pclgen.lock"]
        (project / "pclgen.toml").write_text('[packages.shop]\nversion = "2.0.0"\n')
        assert version_of(store_of(project).find("shop")) == "2.0.0"

    def test_a_file_that_is_not_the_locked_one(self, project: Path, tmp_path: Path) -> None:
        first = write_schema(tmp_path, schema("1.0.0"))
        add(project / "schemas", fetch(str(first), expected("shop")))
        path = write_schema(project / "schemas", schema("1.0.0", namespace="evil"))
        answer = store_of(project).find("shop")
        assert isinstance(answer, BadSchema)
        assert answer.reason == "the file is not the one that the lock file names: its SHA-256 is another"
        assert answer.help is not None
        assert f"pclgen schema add shop@1.0.0 --from {path}" in answer.help

    def test_a_spoiled_lock_file(self, project: Path) -> None:
        write_schema(project / "schemas", schema())
        (project / "schemas" / "pclgen.lock").write_text("<<<<<<< ours")
        with pytest.raises(ConfigurationError, match="not a lock file"):
            store_of(project)

    def test_the_library_finds_what_the_command_line_finds(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        write_schema(project / "schemas", schema())
        program = project / "infra" / "web"
        assert [d.code for d in pclgen.check(program).diagnostics] == ["PCL0302"], "hermetic unless asked otherwise"
        assert pclgen.check(program, store=pclgen.project_store(program)).diagnostics == ()


class TestYaml:
    @pytest.mark.parametrize("file", ["shop-1.0.0.yaml", "shop.yml", "shop/schema.yaml", "anything.yaml"])
    def test_files(self, tmp_path: Path, file: str) -> None:
        path = tmp_path / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            "name: shop\nversion: '1.0.0'\nresources:\n  shop:index:Cart:\n    description: 2024-01-01\n"
            "    inputProperties:\n      on: {type: boolean, const: true}\n      'no': {type: string}\n"
        )
        package = SchemaStore([path if path.stem == "anything" else tmp_path]).find("shop")
        assert version_of(package) == "1.0.0"
        assert isinstance(package, FoundPackage)
        cart = package.package.resource("shop:index:Cart")
        assert cart is not None
        from pclgen.types.declarations import Shape

        assert list(cart.inputs.fields(Shape.INPUT)) == ["on", "no"]
        assert cart.doc == "2024-01-01"

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("name: [", "not valid YAML"),
            ("name: !!python/object/apply:os.system ['true']", "not valid YAML"),
            ("- shop", "expected `object`, got `array`"),
            ("a: &x [*x]", "not"),
        ],
    )
    def test_files_that_are_no_schemas(self, tmp_path: Path, text: str, reason: str) -> None:
        (tmp_path / "shop.yaml").write_text(text)
        answer = SchemaStore([tmp_path]).find("shop")
        assert isinstance(answer, BadSchema)
        assert reason in answer.reason


def test_the_configuration_of_the_reference(project: Path) -> None:
    page = (ROOT / "docs" / "reference" / "configuration.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (project / "pclgen.toml").write_text(text)
    write_schema(project / "schemas", schema())
    (project / "vendor").mkdir()
    (project / "vendor" / "shop.yaml").write_text("name: shop\nversion: 2.0.0\n")
    configuration = find_configuration(project)
    assert configuration.versions == {"aws": ("7.48.0", "pinned in pclgen.toml")}
    assert version_of(store_of(project).find("shop")) == "2.0.0"


class TestNamedFiles:
    def test_a_file_that_cannot_be_read_says_so(self, tmp_path: Path) -> None:
        """The user named the file, so the message mentions it."""
        broken, text = tmp_path / "new.json", tmp_path / "new.yaml"
        broken.write_text('{"name": "shop", ')
        text.write_text("name: shop\n\tx: 1\n")
        missing = SchemaStore([broken, text]).find("shop")
        assert isinstance(missing, NotFound)
        assert "new.json (not valid JSON: " in missing.tried[0]
        assert "new.yaml (not valid YAML: " in missing.tried[1] and "line 2" in missing.tried[1]
        assert isinstance(SchemaStore([broken]).find("new"), BadSchema)

    def test_another_file_may_still_have_the_package(self, tmp_path: Path) -> None:
        broken, good = tmp_path / "new.json", tmp_path / "good.json"
        broken.write_text("[")
        good.write_text('{"name": "shop", "version": "1.0.0"}')
        for places in ([broken, good], [good, broken]):
            for version in (None, "1.0.0"):
                package = SchemaStore(places).find("shop", version)
                assert isinstance(package, FoundPackage) and package.where == str(good)
