"""Small programs in TypeScript type-check against generated SDKs, and prettier leaves them unchanged."""

from __future__ import annotations

from pathlib import Path

from tests.support.binding import SCHEMAS
from tests.support.compilers import check_prettier, check_typescript
from tests.support.files import write_files
from tests.support.sdks.typescript import sdk_path
from tests.support.typescript_target import typescript_files
from tests.test_typescript_programs import CASES
from tests.test_typescript_run import COMPONENT, PROGRAMS


def test_small_programs(tmp_path: Path) -> None:
    sources = {name: text for name, (text, _) in (CASES | PROGRAMS).items()}
    programs = {
        f"p{at}": write_files(tmp_path / f"p{at}", typescript_files(text)) for at, text in enumerate(sources.values())
    }
    component = 'resource a "probe:index:Thing" {}\ncomponent c "./web" {\n  label = a.out\n  size  = a.int\n}'
    programs["component"] = write_files(tmp_path / "component", typescript_files(component, components={"web": COMPONENT}))
    errors = check_typescript(programs, search=sdk_path(sorted(SCHEMAS.glob("probe-*.json")), former=True))
    layout = check_prettier(programs)
    assert {name: messages + layout[name] for name, messages in errors.items() if messages or layout[name]} == {}
