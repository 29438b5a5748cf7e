"""Generated TypeScript type-checks, also where no SDK was published: against declarations made from the schemas."""

from __future__ import annotations

from pathlib import Path

from tests.support.binding import SCHEMAS
from tests.support.compilers import check_prettier, check_typescript
from tests.support.corpus import CORPUS, needs_corpus
from tests.support.typescript_sdk import write_sdks
from tests.support.typescript_target import typescript_files
from tests.test_typescript_programs import CASES
from tests.test_typescript_run import COMPONENT, PROGRAMS


def write(folder: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def complaints(programs: dict[str, Path], stand_ins: Path) -> dict[str, list[str]]:
    found = check_typescript(programs, stand_ins=stand_ins)
    layout = check_prettier(programs)
    return {name: messages + layout[name] for name, messages in found.items() if messages or layout[name]}


def test_small_programs(tmp_path: Path) -> None:
    write_sdks(tmp_path / "sdk", SCHEMAS.glob("probe-*.json"))
    sources = {name: text for name, (text, _) in (CASES | PROGRAMS).items()}
    programs = {
        f"p{at}": write(tmp_path / f"p{at}", typescript_files(text)) for at, text in enumerate(sources.values())
    }
    component = 'resource a "probe:index:Thing" {}\ncomponent c "./web" {\n  label = a.out\n  size  = a.int\n}'
    programs["component"] = write(tmp_path / "component", typescript_files(component, components={"web": COMPONENT}))
    assert complaints(programs, tmp_path / "sdk") == {}


@needs_corpus
def test_conformance_programs(tmp_path: Path) -> None:
    from pclgen.pipeline import generate
    from pclgen.schema.load import SchemaStore
    from pclgen.source.load import load_program

    schemas = CORPUS / "schemas" / "conformance"
    write_sdks(tmp_path / "sdk", schemas.glob("*.json"))
    store = SchemaStore([schemas])
    programs: dict[str, Path] = {}
    refused: set[str] = set()
    for test in sorted((CORPUS / "conformance").iterdir()):
        source = test / "program"
        if not any(source.glob("*.pp")):
            continue
        result = generate(load_program(str(source)), languages=["typescript"], store=store)
        if not result.files:
            refused.add(test.name)
            continue
        texts = {str(path): text for path, text in result.files["typescript"].items()}
        programs[test.name] = write(tmp_path / test.name, texts)
    assert refused <= {"internal-bad-schema"}
    assert complaints(programs, tmp_path / "sdk") == {}
