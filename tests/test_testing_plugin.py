"""The pytest plugin `pclgen.testing`, in separate pytest runs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import pclgen
from pclgen.verify import verification
from pclgen.verify.environments import Packages, PythonEnvironment, python_environment
from tests.support.corpus import ROOT
from tests.support.files import write_files
from tests.support.plugin import ARGUMENTS, MODULE
from tests.support.verified import environments
from tests.support.waiting import PATIENCE

HELLO = 'output greeting {\n  value = "hello"\n}\n'
PET = 'resource pet "random:index/randomPet:RandomPet" {\n  length = 3\n}\n'
CONFIGURATION = f'schemas = ["{(ROOT / "examples" / "schemas").as_posix()}"]\n'
CHECK = "import pytest\n\n@pytest.mark.pclgen({arguments})\ndef test_program(pcl):\n    pcl.check()\n"


@pytest.fixture(scope="module", autouse=True)
def compiler() -> None:
    """Import the compiler: pytester forgets what a run imports, so the next run would have two copies of a module."""
    assert pclgen.generate({"main.pp": HELLO}, languages=pclgen.LANGUAGES).ok


class Repository:
    """A folder with programs and tests."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        self.path = pytester.path
        self.write({"pclgen.toml": CONFIGURATION, ".git/HEAD": "", "pytest.ini": "[pytest]\naddopts = -p no:cacheprovider\n"})

    def write(self, files: Mapping[str, str]) -> None:
        """Write files by path."""
        write_files(self.path, files)

    def marked(self, arguments: str) -> None:
        """A test module with one test that has this mark."""
        self.write({"test_all.py": CHECK.format(arguments=arguments)})

    def run(self, *arguments: str) -> pytest.RunResult:
        """Run pytest in this process."""
        return self.pytester.runpytest_inprocess(*ARGUMENTS, "-p", "no:xdist", *arguments)

    def outcomes(self, *arguments: str) -> dict[str, int]:
        """How many tests passed, failed, ..."""
        return self.run(*arguments).parseoutcomes()

    def snapshots(self) -> list[str]:
        """The files in the snapshots of the module."""
        root = self.path / "__snapshots__" / "test_all"
        return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


@pytest.fixture
def repository(pytester: pytest.Pytester) -> Repository:
    return Repository(pytester)


def test_a_test_for_each_program_and_language(repository: Repository) -> None:
    repository.write({"web/main.pp": HELLO, "snippets/a.pp": HELLO, "notes/readme.md": "no program"})
    repository.marked("'web', 'snippets/*.pp', project_files=False, languages=['python', 'go']")
    listed = repository.run("--collect-only", "-q")
    listed.stdout.fnmatch_lines(
        [
            "test_all.py::test_program?snippets/a-python?",
            "test_all.py::test_program?snippets/a-go?",
            "test_all.py::test_program?web-python?",
            "test_all.py::test_program?web-go?",
            "test_all.py::test_program?leftovers?",
            "",
        ],
        consecutive=True,
    )


def test_languages_have_the_names_that_they_have_elsewhere(repository: Repository) -> None:
    repository.write({"web/main.pp": HELLO})
    repository.marked("'web', languages=['golang', 'py']")
    repository.run("--collect-only", "-q").stdout.fnmatch_lines(["*web-python?", "*web-go?"], consecutive=True)
    repository.write({"test_all.py": "", "pclgen.toml": "[[testing]]\nprograms = ['web']\nlanguages = ['ts']\n"})
    repository.run("--collect-only", "-q").stdout.fnmatch_lines(["*web-typescript?"])


def test_snapshots_are_real_files_and_are_updated_on_demand(repository: Repository) -> None:
    repository.write({"web/main.pp": HELLO})
    repository.marked("'web', languages=['python']")
    missing = repository.run()
    assert missing.parseoutcomes()["failed"] == 1
    missing.stdout.fnmatch_lines(["*test_all/web/python differs*", "*__main__.py does not exist", "*made/web/python/__main__.py"])
    assert repository.snapshots() == []
    assert repository.outcomes("--snapshot-update")["passed"] == 2
    names = [".gitignore", "Pulumi.yaml", "__main__.py", "requirements.txt"]
    assert repository.snapshots() == [f"web/python/{name}" for name in names]
    written = repository.path / "__snapshots__" / "test_all" / "web" / "python" / "__main__.py"
    assert written.read_bytes() == b'import pulumi\n\npulumi.export("greeting", "hello")\n'
    assert repository.outcomes()["passed"] == 2
    repository.write({"web/main.pp": HELLO.replace("hello", "bye")})
    changed = repository.run()
    assert changed.parseoutcomes()["failed"] == 1
    changed.stdout.fnmatch_lines(["--- snapshot/web/python/__main__.py", '-pulumi.export("greeting", "hello")', '+pulumi.export*"bye")'])
    changed.stdout.no_fnmatch_line("*requirements.txt*")
    repository.outcomes("--snapshot-update")
    assert repository.outcomes()["passed"] == 2


def test_stale_files_fail_and_are_removed(repository: Repository) -> None:
    repository.write({"web/main.pp": HELLO, "api/main.pp": HELLO})
    repository.marked("'*', languages=['python'], project_files=False")
    repository.outcomes("--snapshot-update")
    stale = "__snapshots__/test_all/web/python/old/__init__.py"
    repository.write({stale: "", "__snapshots__/test_all/web/readme.md": "ours", "__snapshots__/test_all.ambr": "others"})
    result = repository.run()
    assert (result.parseoutcomes()["failed"], result.parseoutcomes()["passed"]) == (1, 2)
    result.stdout.fnmatch_lines(["web/python/old/__init__.py is not made any more"])
    (repository.path / "api" / "main.pp").unlink()
    result = repository.run()
    result.stdout.fnmatch_lines(["*snapshots of nothing:", "*api/python"])
    assert result.parseoutcomes()["failed"] == 2
    repository.outcomes("--snapshot-update")
    assert repository.snapshots() == ["web/python/__main__.py", "web/readme.md"]
    assert (repository.path / "__snapshots__" / "test_all.ambr").is_file()
    assert repository.outcomes()["passed"] == 2


def test_a_selection_of_tests_takes_nothing_for_stale(repository: Repository) -> None:
    repository.write({"web/main.pp": HELLO, "api/main.pp": HELLO})
    repository.marked("'*', languages=['python', 'go']")
    repository.outcomes("--snapshot-update")
    before = repository.snapshots()
    assert repository.outcomes("--snapshot-update", "-k", "web-python or leftovers")["passed"] == 2
    assert repository.snapshots() == before


def test_a_language_that_is_not_asked_for_any_more_is_stale(repository: Repository) -> None:
    repository.write({"web/main.pp": HELLO})
    repository.marked("'web', languages=['python', 'go'], project_files=False")
    repository.outcomes("--snapshot-update")
    repository.marked("'web', languages=['go'], project_files=False")
    repository.run().stdout.fnmatch_lines(["*snapshots of nothing:", "  web/python"])
    repository.outcomes("--snapshot-update")
    assert repository.snapshots() == ["web/go/main.go"]


def test_several_marked_tests_share_the_folder_of_their_module(repository: Repository) -> None:
    repository.write({"web/main.pp": HELLO, "api/main.pp": HELLO})
    repository.marked("'web', languages=['python']")
    more = CHECK.format(arguments="'api', languages=['go']").replace("test_program", "test_other")
    with (repository.path / "test_all.py").open("a") as module:
        module.write(more)
    assert repository.outcomes("--snapshot-update")["passed"] == 3
    assert repository.outcomes()["passed"] == 3


def test_what_check_says_is_a_snapshot_only_where_it_is_asked_for(repository: Repository) -> None:
    repository.write({"bad/main.pp": "output x {\n  value = nope\n}\n"})
    repository.marked("'bad', languages=['python']")
    refused = repository.run("--snapshot-update")
    assert refused.parseoutcomes()["failed"] == 1
    refused.stdout.fnmatch_lines(["error?PCL0501?: unknown variable `nope`", " --> main.pp:2:11", "`diagnostics = true`*"])
    repository.marked("'bad', languages=['python'], diagnostics=True")
    repository.outcomes("--snapshot-update")
    assert repository.snapshots() == ["bad/diagnostics.txt"]
    diagnostics = (repository.path / "__snapshots__/test_all/bad/diagnostics.txt").read_text()
    assert diagnostics.startswith("error[PCL0501]: unknown variable `nope`\n --> main.pp:2:11\n")
    assert repository.outcomes()["passed"] == 3
    repository.write({"bad/main.pp": "output x {\n  value = noope\n}\n"})
    assert repository.outcomes()["failed"] == 1


def test_places_in_components_are_those_of_the_program(repository: Repository) -> None:
    use = 'component inner "./parts/inner" {\n}\n'
    repository.write({"deep/web/main.pp": use, "deep/web/parts/inner/main.pp": "output x {\n  value = nope\n}\n"})
    repository.marked("'deep/web', languages=[], diagnostics=True")
    repository.outcomes("--snapshot-update")
    assert " --> parts/inner/main.pp:2:11\n" in (
        repository.path / "__snapshots__/test_all/deep/web/diagnostics.txt"
    ).read_text()


def test_registrations(repository: Repository) -> None:
    secret = 'config word string {\n  secret = true\n}\noutput word {\n  value = word\n}\n'
    repository.write({"web/main.pp": PET + secret})
    repository.marked("'web', languages=[], registrations=True, secrets={'word': 'hunter2'}")
    repository.outcomes("--snapshot-update")
    assert repository.snapshots() == ["web/registrations.txt"]
    tree = (repository.path / "__snapshots__/test_all/web/registrations.txt").read_text()
    assert "random:index/randomPet:RandomPet  pet  main.pp:1:10\n" in tree
    assert "hunter2" not in tree and "word = [secret]" in tree
    assert repository.outcomes()["passed"] == 2
    repository.write({"web/main.pp": PET.replace("3", "4") + secret})
    assert repository.outcomes()["failed"] == 1


def test_a_program_that_fails_registers_nothing_quietly(repository: Repository) -> None:
    repository.write({"web/main.pp": "config word string {\n}\noutput word {\n  value = word\n}\n"})
    repository.marked("'web', languages=[], registrations=True")
    repository.run().stdout.fnmatch_lines(["*config variable `word` has no value*"])


@pytest.fixture(scope="session")
def pinned_python() -> Path:
    """The interpreter with the SDKs, located before a test has its own home directory."""
    python = environments().python
    assert python is not None
    return python


def test_verified_runs(pinned_python: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    def pinned(needs: Packages, interpreter: Path | None) -> PythonEnvironment:
        return python_environment(needs, interpreter or pinned_python)

    monkeypatch.setattr(verification, "python_environment", pinned)
    monkeypatch.setenv("PCLGEN_TOOLCHAINS", str(repository.path / "tools"))
    repository.write({"web/main.pp": "config word string {\n}\noutput word {\n  value = word\n}\n"})
    repository.marked("'web', languages=['python'], verify='run'")
    failing = repository.run("--snapshot-update")
    assert failing.parseoutcomes()["failed"] == 1
    failing.stdout.fnmatch_lines(["*the evaluator fails: config variable `word` has no value*"])
    repository.marked("'web', languages=['python'], verify='run', config={'word': 'yes'}")
    assert repository.outcomes("--pclgen-require")["passed"] == 2


def test_what_cannot_be_verified_is_skipped_unless_it_is_required(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(repository.path))
    repository.write({"web/main.pp": HELLO})
    repository.marked("'web', languages=['go'], verify='format'")
    assert repository.outcomes("--snapshot-update")["skipped"] == 1
    skipped = repository.run("-rs")
    assert (skipped.parseoutcomes()["skipped"], skipped.parseoutcomes()["passed"]) == (1, 1)
    skipped.stdout.fnmatch_lines(["SKIPPED*not verified: Go is not installed*"])
    assert repository.outcomes("--pclgen-require")["failed"] == 1


def test_snapshots_of_other_forms_live_beside_ours(repository: Repository) -> None:
    """syrupy treats everything in its folder as snapshots of its tests."""
    repository.write({"web/main.pp": HELLO, "api/main.pp": HELLO})
    repository.marked("'*', languages=['python']")
    with (repository.path / "test_all.py").open("a") as module:
        module.write("def test_text(snapshot):\n    assert 'text' == snapshot\n")
    repository.outcomes("--snapshot-update")
    before = repository.snapshots()
    assert repository.outcomes()["passed"] == 4
    repository.write({"web/main.pp": "output x {\n  value = nope\n}\n"})
    broken = repository.run("--snapshot-update")
    assert broken.parseoutcomes()["failed"] == 1
    assert repository.snapshots() == before
    assert (repository.path / "__snapshots__" / "test_all.ambr").is_file()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("'web', languges=['go']", "unknown keyword `languges`; did you mean `languages`?"),
        ("'web', languages=['golan']", "test_all.py::test_program: the mark `pclgen`: `languages`: there is no language `golan`; there are"),
        ("'web', verify='all'", "`verify`: `all` is none of the values; there are format, compile, run"),
        ("'web', config={'a': 1}", "`config`: expected a text, got a whole number"),
        ("'wbe'", "there is no program at `"),
        ("'old/*'", "`old/*` names no program in "),
        ("'../web'", "`../web` leads out of "),
        ("'same', 'same.pp'", " would have the same snapshots"),
    ],
)
def test_wrong_marks(repository: Repository, arguments: str, message: str) -> None:
    repository.write({"web/main.pp": HELLO, "same/main.pp": HELLO, "same.pp": HELLO})
    repository.marked(arguments)
    result = repository.run()
    assert result.ret != 0
    output = result.stdout.str() + result.stderr.str()
    assert message in output and "Error:" not in output, "the mark is wrong, and nothing broke"


def test_the_program_takes_a_mark(repository: Repository) -> None:
    repository.write({"test_all.py": "def test_program(pcl):\n    pcl.check()\n"})
    repository.run().stdout.fnmatch_lines(["*`pcl` is the program of a marked test*"])


def test_tests_may_bring_schemas_look_closer_and_choose_the_folder(repository: Repository) -> None:
    module = f"""
import pclgen
import pytest

@pytest.fixture
def pcl_store():
    return pclgen.SchemaStore(["{(ROOT / "examples" / "schemas").as_posix()}"])

@pytest.mark.pclgen("pets/*", base="..", languages=["python"], project_files=False)
def test_pets(pcl):
    pcl.check()
    [stack, pet] = pcl.evaluated.trace.registrations
    assert pet.inputs == {{"length": 3}}

def test_text(pcl_snapshots):
    pcl_snapshots.file("said/help.txt", "help\\n")
    pcl_snapshots.only("said", ["help.txt"])
"""
    (repository.path / "pclgen.toml").unlink()
    repository.write({"pets/cat/main.pp": PET, "tests/test_pets.py": module})
    repository.write({"pytest.ini": "[pytest]\npclgen_snapshots = kept\n"})
    assert repository.outcomes("--snapshot-update")["passed"] == 2
    kept = sorted(path.relative_to(repository.path / "kept").as_posix() for path in repository.path.glob("kept/**/*.*"))
    assert kept == ["pets/cat/python/__main__.py", "said/help.txt"]
    assert repository.outcomes()["passed"] == 2
    repository.write({"kept/said/old.txt": ""})
    assert repository.outcomes()["failed"] == 1


# -- programs that the configuration names -------------------------------------------------------------------------------


def configured(repository: Repository, text: str) -> None:
    repository.write({"pclgen.toml": text})


def test_programs_of_the_configuration_are_tests(repository: Repository) -> None:
    repository.write({"infra/web/main.pp": HELLO, "infra/old/main.pp": HELLO, "infra/api/main.pp": HELLO, "bad/main.pp": "x = y\n"})
    configured(
        repository,
        'programs = ["infra/*"]\nexclude = ["infra/old"]\nlanguages = ["go"]\nproject-files = false\n'
        '[[overrides]]\nprograms = ["infra/api"]\nlanguages = ["python"]\n'
        "[[testing]]\nregistrations = true\n"
        '[[testing]]\nprograms = ["bad"]\nlanguages = []\ndiagnostics = true\n',
    )
    names = ["infra/api-python", "infra/api-registrations", "infra/web-go", "infra/web-registrations", "bad-diagnostics", "leftovers"]
    lines = [f"pclgen.toml::program?{name}?" for name in names]
    for arguments in ([], ["pclgen.toml"]):
        repository.run("--collect-only", "-q", *arguments).stdout.fnmatch_lines(lines, consecutive=True)
    assert repository.outcomes("--snapshot-update")["passed"] == 6
    root = repository.path / "__snapshots__"
    assert sorted(path.relative_to(root).as_posix() for path in root.rglob("*.*")) == [
        "bad/diagnostics.txt",
        "infra/api/python/__main__.py",
        "infra/api/registrations.txt",
        "infra/web/go/main.go",
        "infra/web/registrations.txt",
    ]
    assert repository.outcomes()["passed"] == 6
    repository.write({"__snapshots__/infra/gone/go/main.go": "", "test_x.py": "", "__snapshots__/test_x/web/go/main.go": ""})
    repository.run().stdout.fnmatch_lines(["__snapshots__ has snapshots of nothing:", "  infra/gone/go", "`pytest*"], consecutive=True)


def test_levels_of_warnings_count(repository: Repository) -> None:
    schema = '{"name": "old", "version": "1.0.0", "resources": {"old:index:Pet": {"deprecationMessage": "gone soon"}}}'
    repository.write({"schemas/old.json": schema, "web/main.pp": 'resource pet "old:index:Pet" {\n}\n'})
    configured(repository, '[[testing]]\nlanguages = ["go"]\n')
    repository.run("--snapshot-update").stdout.fnmatch_lines(["warning?PCL0420?: *"])
    configured(repository, '[levels]\nPCL0420 = "off"\n[[testing]]\nlanguages = ["go"]\n')
    assert repository.outcomes("--snapshot-update")["passed"] == 2
    configured(repository, '[levels]\nPCL0420 = "error"\n[[testing]]\nlanguages = ["go"]\ndiagnostics = true\n')
    assert repository.outcomes("--snapshot-update")["passed"] == 3
    assert (repository.path / "__snapshots__/web/diagnostics.txt").read_text().startswith("error[PCL0420]")


def test_a_pyproject_names_them_too(repository: Repository) -> None:
    (repository.path / "pclgen.toml").unlink()
    repository.write({"web/main.pp": HELLO, "pyproject.toml": '[[tool.pclgen.testing]]\nlanguages = ["go"]\n'})
    assert repository.outcomes("--snapshot-update", "-o", "python_functions=check_*")["passed"] == 2
    assert (repository.path / "__snapshots__" / "web" / "go" / "go.mod").is_file()


def test_without_the_table_a_configuration_is_no_test(repository: Repository) -> None:
    repository.write({"web/main.pp": HELLO})
    configured(repository, "# testing]] is for others\nprograms = ['web']\n")
    assert repository.outcomes() == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[testing]]\nprogams = ['web']\n", "pclgen.toml:2:1: unknown setting `progams`; did you mean `programs`?"),
        ("[[testing]]\nverify = 'everything'\n", "`everything` is none of the values"),
        ("[[testing]]\nprograms = ['wbe']\n", "; did you mean `web`?"),
        ("[[testing]]\nprograms = ['none/*']\n", "`none/*` names no program in "),
        ("[[testing]]\n[[testing]]\nverify = 'run'\n", "two tables `[[testing]]` name `web`; `exclude` it in one of them"),
    ],
)
def test_wrong_configurations_are_reported_at_their_place(repository: Repository, text: str, message: str) -> None:
    repository.write({"web/main.pp": HELLO})
    configured(repository, text)
    result = repository.run()
    assert result.ret != 0
    assert message in result.stdout.str()
    assert "Traceback" not in result.stdout.str()


# -- what it costs -------------------------------------------------------------------------------------------------------


ALONE = "import sys, pytest; status = pytest.main(sys.argv[1:]); print(*sys.modules, file=sys.stderr); sys.exit(status)"


def run_alone(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest with only our plugin in a separate process; standard error lists the imported modules."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-c", ALONE, "-p", MODULE, "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False, timeout=PATIENCE)


def test_the_plugin_costs_nothing_when_it_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text("def test_it():\n    pass\n")
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "main.pp").write_text(HELLO)
    ran = run_alone(tmp_path)
    assert ran.returncode == 0, ran.stdout
    loaded = set(ran.stderr.split())
    ours = {name for name in loaded if name.split(".")[0] == "pclgen"}
    assert ours == {"pclgen", "pclgen.languages", "pclgen.version", "pclgen.testing", MODULE}
    assert not {name for name in loaded if name.split(".")[0] in ("syrupy", "lark", "black", "msgspec", "networkx")}


def test_without_the_extra_other_tests_run_and_marked_ones_say_what_to_install(tmp_path: Path) -> None:
    """An installation of pclgen without syrupy."""
    blocked = "import sys\nsys.modules['syrupy'] = None\n"
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "conftest.py").write_text(blocked)
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "main.pp").write_text(HELLO)
    (tmp_path / "test_it.py").write_text(CHECK.format(arguments="'web'") + "\ndef test_it():\n    pass\n")
    ran = run_alone(tmp_path)
    assert "1 passed" in ran.stdout and "4 errors" in ran.stdout, ran.stdout
    assert "pip install 'pclgen[testing]'" in ran.stdout
