"""The index on disk: the cost of a second run, recovery from damage, and many processes at once."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pclgen.schema.cache import SchemaCache
from pclgen.schema.document import Document, read_document
from pclgen.schema.errors import BadSchema
from pclgen.schema.index import Index, write_index
from pclgen.schema.load import SchemaStore
from pclgen.schema.package import FoundPackage, open_package
from pclgen.schema.sources import DIRECT
from pclgen.types.declarations import Declaration, Package, Shape
from tests.support.bigschemas import CountingSource, SlowSection, big_schema, settle, slow_document
from tests.support.corpus import CORPUS, ROOT, needs_corpus
from tests.support.schemas import Schema, token, write_schema
from tests.support.waiting import PATIENCE

CART = "shop:cart/cart:Cart"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A directory with one large schema."""
    settle(write_schema(tmp_path / "schemas", big_schema()))
    return tmp_path / "schemas"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def opened(places: Path, cache: SchemaCache, name: str = "shop") -> FoundPackage:
    package = SchemaStore([places], cache=cache).find(name)
    assert isinstance(package, FoundPackage), package
    return package


def read_index(path: Path) -> Index:
    """A complete index, which must not be damaged."""
    return Index(path, lambda: pytest.fail("damaged"), complete=True)


def indexes(directory: Path) -> list[Path]:
    return sorted(directory.glob("*/*.index"))


def use(package: FoundPackage) -> list[str]:
    """Read the members that a program with a cart uses."""
    cart = package.resource(token(CART))
    assert cart is not None
    items = cart.inputs.fields(Shape.INPUT)["items"]
    item = package.package.object_type("shop:cart/Item:Item")
    assert isinstance(item, Declaration)
    function = package.function(token("shop:cart:getCart"))
    assert function is not None
    assert function.inputs is not None
    assert package.resources.find("shop:old/basket:Basket") == CART
    return [repr(items.type), *item.fields(Shape.INPUT), *package.package.provider().inputs.fields(Shape.INPUT)]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Every schema file that is read from now on."""
    seen: list[Path] = []
    plain = Path.open

    def noted(path: Path, mode: str = "r", **how: Any) -> Any:
        if mode == "rb" and "cache" not in path.parts[-3]:
            seen.append(path)
        return plain(path, mode, **how)

    monkeypatch.setattr(Path, "open", noted)
    return seen


class TestSecondRun:
    def test_the_schema_is_neither_read_nor_hashed_again(
        self, place: Path, directory: Path, reads: list[Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first = use(opened(place, SchemaCache(directory)))
        assert len(reads) == 1
        assert len(indexes(directory)) == 1
        monkeypatch.setattr("pclgen.schema.sources.digest", lambda _: pytest.fail("hashed"))
        package = opened(place, SchemaCache(directory))
        assert use(package) == first
        assert len(reads) == 1
        # The cart and its one output, the item, the function, the provider; and a property of each but the function's.
        assert package.document.decoded == 4 + 1 + 1 + 1

    def test_small_files_are_read_directly(self, tmp_path: Path, directory: Path, reads: list[Path]) -> None:
        write_schema(tmp_path, {"name": "shop"})
        for _ in range(2):
            opened(tmp_path, SchemaCache(directory))
        assert len(reads) == 2
        assert not directory.exists()

    def test_a_changed_file_is_read_again(self, place: Path, directory: Path) -> None:
        assert opened(place, SchemaCache(directory)).package.namespace == ""
        settle(write_schema(place, {**big_schema(), "namespace": "acme"}))
        assert opened(place, SchemaCache(directory)).package.namespace == "acme"

    def test_a_file_that_was_just_written_may_change_unseen(self, tmp_path: Path, directory: Path) -> None:
        place = tmp_path / "schemas"
        path = write_schema(place, big_schema())
        stat = path.stat()
        opened(place, SchemaCache(directory))
        path.write_text(path.read_text().replace('"shop:mod0', '"shop:mad0'))
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        assert path.stat().st_size == stat.st_size
        package = opened(place, SchemaCache(directory))
        assert package.resource(token("shop:mad0:Thing0")) is not None

    def test_a_moved_or_copied_file_is_known_by_its_content(
        self, place: Path, directory: Path, tmp_path: Path, reads: list[Path]
    ) -> None:
        opened(place, SchemaCache(directory))
        (built,) = indexes(directory)
        before = built.stat().st_mtime_ns
        moved = tmp_path / "elsewhere"
        moved.mkdir()
        (place / "shop-1.0.0.json").rename(moved / "shop-1.0.0.json")
        settle(moved / "shop-1.0.0.json")
        use(opened(moved, SchemaCache(directory)))
        assert [entry.stat().st_mtime_ns for entry in indexes(directory)] == [before]
        use(opened(moved, SchemaCache(directory)))
        assert len(reads) == 2, "once in each place"

    def test_a_file_of_any_name_is_known_without_reading(self, place: Path, directory: Path, reads: list[Path]) -> None:
        path = (place / "shop-1.0.0.json").rename(place / "whatever.json")
        settle(path)
        for _ in range(3):
            use(opened(path, SchemaCache(directory)))
        assert reads == [path]

    def test_yaml_of_any_size_is_indexed(self, tmp_path: Path, directory: Path) -> None:
        text = "name: shop\nversion: 1.0.0\nresources:\n  shop::Cart:\n    inputProperties:\n      'on': {type: boolean}\n"
        path = tmp_path / "shop.yaml"
        path.write_text(text + "# " + "x" * DIRECT)
        settle(path)
        for _ in range(2):
            cart = opened(tmp_path, SchemaCache(directory)).resource(token("shop:Cart"))
            assert cart is not None
            assert list(cart.inputs.fields(Shape.INPUT)) == ["on"]
        assert len(indexes(directory)) == 1

    def test_bad_schemas_are_not_kept(self, tmp_path: Path, directory: Path) -> None:
        path = tmp_path / "shop.json"
        path.write_text('{"name": "shop", "resources": [' + " " * DIRECT)
        settle(path)
        for _ in range(2):
            assert isinstance(SchemaStore([tmp_path], cache=SchemaCache(directory)).find("shop"), BadSchema)
        assert indexes(directory) == []


class TestSameAnswers:
    """An index gives the same answers as the whole schema."""

    @needs_corpus
    @pytest.mark.parametrize("name", ["azuread-6.10.0", "awsx-3.8.0", "docker-5.1.0"])
    def test_real_schemas(self, name: str, tmp_path: Path) -> None:
        path = CORPUS / "schemas" / "real" / f"{name}.json"
        whole = read_document(path.read_bytes(), where="whole")
        assert isinstance(whole, Document)
        write_index(whole, tmp_path / "index")
        index = read_index(tmp_path / "index")
        assert index.header is not None
        members = index.members()
        stored = Document(index.header, members, where="stored")
        for own, other in (
            (members.resources, whole.members.resources),
            (members.types, whole.members.types),
            (members.functions, whole.members.functions),
        ):
            assert {key: bytes(own[key]) for key in own} == {key: bytes(other[key]) for key in other}
            assert list(own) == list(other)
            assert len(own) == len(other)
        indexed, two = open_package(stored, nothing), open_package(whole, nothing)
        assert describe(indexed.package) == describe(two.package)
        former = [alias for alias, _ in whole.aliases()]
        for written in (*former, *whole.members.resources, "azuread:index:Nothing", "docker:Image"):
            assert indexed.resources.find(written) == two.resources.find(written)
            assert indexed.resources.find_current(written) == two.resources.find_current(written)
        assert indexed.resources.spellings() == two.resources.spellings()
        index.close()

    @given(
        st.dictionaries(
            st.from_regex(r"p:[a-z]{0,3}(/[a-z]{1,2})?:[A-Za-z]{1,3}", fullmatch=True),
            st.lists(st.from_regex(r"p:[a-z]{0,3}:[A-Z]{1,2}", fullmatch=True), max_size=2),
            max_size=12,
        )
    )
    @settings(max_examples=60, deadline=None)
    def test_names(self, resources: dict[str, list[str]]) -> None:
        import tempfile

        schema = {
            "name": "p",
            "meta": {"moduleFormat": "(.*)(?:/[^/]*)"},
            "resources": {name: {"aliases": [{"type": alias} for alias in former]} for name, former in resources.items()},
        }
        whole = read_document(json.dumps(schema).encode(), where="whole")
        assert isinstance(whole, Document)
        with tempfile.TemporaryDirectory() as folder:
            write_index(whole, Path(folder) / "index")
            index = read_index(Path(folder) / "index")
            assert index.header is not None
            stored = Document(index.header, index.members(), where="stored")
            indexed, two = open_package(stored, nothing), open_package(whole, nothing)
            for written in {*resources, *(alias for former in resources.values() for alias in former), "p:a:B", "p:B"}:
                assert indexed.resources.find(written) == two.resources.find(written)
                assert indexed.resources.find_former(written) == two.resources.find_former(written)
                assert indexed.resources.nearest(written) == two.resources.nearest(written)
            index.close()


def nothing(name: str, version: str) -> Package:
    raise AssertionError(f"{name} {version}")


def describe(package: Package) -> dict[str, object]:
    return {
        "name": (package.name, package.version, package.namespace, package.repository, package.module_format),
        "language": package.language,
        "parameterization": package.parameterization,
        "tokens": (tuple(package.resource_tokens), tuple(package.type_tokens), tuple(package.function_tokens)),
    }


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def overwrite(path: Path) -> None:
    path.write_bytes(b"this is no database\n" * 1000)


def zero_the_middle(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:-4096] = bytes(len(data) - 8192)
    path.write_bytes(data)


def scramble_everywhere(path: Path) -> None:
    """Every page stays a valid SQLite page, but its contents change."""
    path.write_bytes(path.read_bytes().replace(b"cart", b"tarc"))


def swap_bodies(path: Path) -> None:
    """A valid database with other contents."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE body SET body = replace(body, 'sku', 'ksu')")


def forget_names(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for table in ("name", "body"):
            connection.execute(f"DELETE FROM {table} WHERE token LIKE '%getCart'")


def forget_former_names(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM former")


def another_edition(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE about SET value = x'30' WHERE key = 'edition'")


DAMAGES = (
    truncate,
    empty,
    overwrite,
    zero_the_middle,
    scramble_everywhere,
    swap_bodies,
    forget_names,
    forget_former_names,
    another_edition,
)


class TestDamage:
    @pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
    def test_a_damaged_index_is_rebuilt_without_a_word(
        self, place: Path, directory: Path, damage: Callable[[Path], None], capfd: pytest.CaptureFixture[str]
    ) -> None:
        good = use(opened(place, SchemaCache(directory)))
        (index,) = indexes(directory)
        sound = index.read_bytes()
        damage(index)
        cache = SchemaCache(directory)
        package = opened(place, cache)
        assert use(package) == good
        cache.flush()
        assert [path.read_bytes() == sound for path in indexes(directory)] == [True], "rebuilt"
        assert use(package) == good, "from the new one"
        assert use(opened(place, SchemaCache(directory))) == good
        assert capfd.readouterr() == ("", "")

    @given(st.data())
    @settings(max_examples=25, deadline=None)
    def test_any_bytes_may_be_wrong(self, data: st.DataObject) -> None:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            place, directory = Path(folder) / "schemas", Path(folder) / "cache"
            settle(write_schema(place, big_schema()))
            good = use(opened(place, SchemaCache(directory)))
            (index,) = indexes(directory)
            content = bytearray(index.read_bytes())
            for _ in range(data.draw(st.integers(1, 40))):
                at = data.draw(st.integers(0, len(content) - 1))
                content[at] ^= data.draw(st.integers(1, 255))
            index.write_bytes(content)
            cache = SchemaCache(directory)
            assert use(opened(place, cache)) == good
            cache.flush()
            assert use(opened(place, SchemaCache(directory))) == good

    def test_damage_in_the_middle_of_a_run(self, place: Path, directory: Path) -> None:
        use(opened(place, SchemaCache(directory)))
        package = opened(place, SchemaCache(directory))
        (index,) = indexes(directory)
        data = bytearray(index.read_bytes())
        data[8192:] = os.urandom(1) * (len(data) - 8192)
        with index.open("r+b") as file:  # the same file that is open
            file.write(data)
        assert use(package) == use(opened(place, SchemaCache(None)))

    def test_notes_may_be_damaged_too(self, place: Path, directory: Path) -> None:
        good = use(opened(place, SchemaCache(directory)))
        for note in directory.glob("*/*.json"):
            note.write_bytes(b"\x00garbled")
        assert use(opened(place, SchemaCache(directory))) == good

    def test_an_index_may_be_deleted(self, place: Path, directory: Path) -> None:
        good = use(opened(place, SchemaCache(directory)))
        indexes(directory)[0].unlink()
        assert use(opened(place, SchemaCache(directory))) == good
        assert len(indexes(directory)) == 1

    def test_a_damaged_index_has_no_header(self, tmp_path: Path) -> None:
        (tmp_path / "index").write_bytes(b"x")
        assert read_index(tmp_path / "index").header is None

    def test_a_build_that_fails_leaves_nothing(self, tmp_path: Path) -> None:
        whole = read_document(b'{"name": "p", "meta": {"moduleFormat": "("}}', where="whole")
        assert isinstance(whole, Document)
        with pytest.raises(ValueError, match="moduleFormat"):
            write_index(whole, tmp_path / "index")
        assert list(tmp_path.iterdir()) == []


class TestDirectory:
    def test_a_directory_that_cannot_be_made(self, place: Path, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("in the way")
        assert use(opened(place, SchemaCache(tmp_path / "file" / "cache")))

    def test_a_directory_that_cannot_be_written(
        self, place: Path, directory: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        good = use(opened(place, SchemaCache(directory)))
        settle(write_schema(place, big_schema("mart")))
        monkeypatch.setattr("pclgen.schema.cache.os.access", lambda *_: False)
        assert use(opened(place, SchemaCache(directory))) == good, "an index that is there is used"
        assert opened(place, SchemaCache(directory), "mart").package.version == "1.0.0"
        assert len(indexes(directory)) == 1

    def test_a_disk_that_is_full(self, place: Path, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(document: Document, path: Path) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        monkeypatch.setattr("pclgen.schema.index.write_index", full)
        assert use(opened(place, SchemaCache(directory)))
        assert indexes(directory) == []

    def test_what_was_not_used_for_longest_goes_first(self, tmp_path: Path, directory: Path) -> None:
        size = 0
        for age, name in enumerate(("one", "two", "three")):
            place = tmp_path / name
            settle(write_schema(place, big_schema(name)))
            opened(place, SchemaCache(directory, limit=10 * DIRECT if not size else int(size * 2.5)), name)
            newest = max(indexes(directory), key=lambda path: path.stat().st_ctime_ns)
            size = newest.stat().st_size
            past = time.time() - 100_000 + age
            os.utime(newest, (past, past))
            if name == "two":
                opened(tmp_path / "one", SchemaCache(directory), "one")  # a use
        assert len(indexes(directory)) == 2
        headers = [read_index(path).header for path in indexes(directory)]
        assert sorted(header.name for header in headers if header is not None) == ["one", "three"]

    def test_what_was_left_unfinished_is_swept_up(self, place: Path, directory: Path) -> None:
        (directory / "schemas-0").mkdir(parents=True)
        old = directory / "schemas-0" / "x.index.17.tmp"
        old.write_bytes(b"half")
        os.utime(old, (0, 0))
        opened(place, SchemaCache(directory))
        assert not old.exists()


class TestPartial:
    """Members that are recovered separately."""

    def source(self, schema: Schema, identity: str = "sdk 1") -> tuple[CountingSource, SlowSection]:
        document, resources = slow_document(schema, identity)
        return CountingSource("shop", document, fingerprint=identity), resources

    def found_package(self, source: CountingSource, directory: Path) -> tuple[FoundPackage, SchemaStore]:
        store = SchemaStore(later=[source], cache=SchemaCache(directory))
        package = store.find("shop")
        assert isinstance(package, FoundPackage), package
        return package, store

    def test_found_once(self, directory: Path) -> None:
        schema = big_schema(size=20_000)
        first, _ = self.source(schema)
        package, store = self.found_package(first, directory)
        good = use(package)
        store.flush()
        second, resources = self.source(schema)
        package, _ = self.found_package(second, directory)
        assert use(package) == good
        assert second.reads == 0, "the header, the members and their names are known"
        assert resources.found == []

    def test_only_what_is_new_is_asked(self, directory: Path) -> None:
        schema = big_schema(size=20_000)
        for member, reads in ((CART, 1), ("shop:mod1/thing1:Thing1", 1), ("shop:mod1:Thing1", 1), ("shop:mod1:Thing1", 0)):
            source, _ = self.source(schema)
            package, store = self.found_package(source, directory)
            assert package.resource(token(member)) is not None
            assert source.reads == reads, member
            store.flush()

    def test_former_names_and_unknown_ones(self, directory: Path) -> None:
        for reads in (1, 0):
            source, _ = self.source(big_schema(size=20_000))
            package, store = self.found_package(source, directory)
            assert package.resources.find("shop:old/basket:Basket") == CART
            assert package.resources.find("shop:cart:Carr") is None
            assert package.resources.nearest("shop:cart:Carr") == "shop:cart:Cart"
            assert len(package.package.resource_tokens) > 2
            store.flush()
            assert source.reads == reads

    def test_another_installation_is_another_file(self, directory: Path) -> None:
        for identity in ("sdk 1", "sdk 2"):
            source, _ = self.source(big_schema(size=20_000), identity)
            package, store = self.found_package(source, directory)
            use(package)
            store.flush()
            assert source.reads == 1
        assert len(indexes(directory)) == 2

    @pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
    def test_damage(self, directory: Path, damage: Callable[[Path], None]) -> None:
        source, _ = self.source(big_schema(size=60_000))
        package, store = self.found_package(source, directory)
        good = use(package)
        store.flush()
        (path,) = indexes(directory)
        damage(path)
        for _ in range(3):  # the first one loses what the file had beside the members that it reads
            source, _ = self.source(big_schema(size=60_000))
            package, store = self.found_package(source, directory)
            assert use(package) == good
            assert package.resources.find("shop:cart:Cart") == CART
            store.flush()
        assert source.reads == 0, "mended by the first two"

    def test_without_a_directory_nothing_is_kept(self) -> None:
        source, _ = self.source(big_schema(size=20_000))
        store = SchemaStore(later=[source])
        package = store.find("shop")
        assert isinstance(package, FoundPackage)
        use(package)
        store.flush()


PROCESS = """
import sys
from pathlib import Path
from pclgen.schema.cache import SchemaCache
from pclgen.schema.load import SchemaStore
from pclgen.schema.tokens import parse_token
from pclgen.types.declarations import Shape

print("ready", flush=True)
sys.stdin.readline()
store = SchemaStore([Path(sys.argv[1])], cache=SchemaCache(Path(sys.argv[2])))
cart = store.find("shop").resource(parse_token("shop:cart:Cart"))
print(list(cart.inputs.fields(Shape.INPUT)))
store.flush()
"""


PARTIAL_PROCESS = """
import sys
from pathlib import Path
from pclgen.schema.cache import SchemaCache
from pclgen.schema.load import SchemaStore
from pclgen.schema.tokens import parse_token
from pclgen.types.declarations import Shape
from tests.support.bigschemas import CountingSource, big_schema, slow_document

document, _ = slow_document(big_schema(size=60_000), "sdk 1")
source = CountingSource("shop", document, fingerprint="sdk 1")
print("ready", flush=True)
sys.stdin.readline()
store = SchemaStore(later=[source], cache=SchemaCache(Path(sys.argv[1])))
cart = store.find("shop").resource(parse_token("shop:cart:Cart"))
print(list(cart.inputs.fields(Shape.INPUT)))
store.flush()
"""


def at_once(count: int, script: str, *arguments: str) -> list[tuple[int, str, str]]:
    """The results of `count` processes that all start their work at the same moment."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for _ in range(count)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    results = [process.communicate(timeout=PATIENCE) for process in processes]
    return [(process.returncode, *result) for process, result in zip(processes, results, strict=True)]


def test_sixteen_processes_find_members(directory: Path) -> None:
    """All succeed, and the members that they find are stored for the next process."""
    assert at_once(16, PARTIAL_PROCESS, str(directory)) == [(0, "['items']\n", "")] * 16
    assert sorted(path.suffix for path in directory.glob("*/*")) == [".index", ".json"]
    document, resources = slow_document(big_schema(size=60_000), "sdk 1")
    source = CountingSource("shop", document, fingerprint="sdk 1")
    package = SchemaStore(later=[source], cache=SchemaCache(directory)).find("shop")
    assert isinstance(package, FoundPackage)
    assert package.resource(token(CART)) is not None
    assert (source.reads, resources.found) == (0, [])


def test_sixteen_processes_at_once(place: Path, directory: Path) -> None:
    """All processes succeed, and leave exactly one index and nothing else."""
    assert at_once(16, PROCESS, str(place), str(directory)) == [(0, "['items']\n", "")] * 16
    assert len(indexes(directory)) == 1
    assert sorted(path.suffix for path in directory.glob("*/*") if path.suffix != ".json") == [".index", ".lock"]
    assert read_index(indexes(directory)[0]).header is not None


PEAK = """
import sys
from pathlib import Path
from pclgen.cli.app import main

status = main(sys.argv[1:])
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(int(peak.split()[1]) * 1024)
sys.exit(status)
"""


def peak_of(*arguments: str) -> int:
    """The peak memory of a command, in bytes."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, "-c", PEAK, *arguments], capture_output=True, text=True, env=environment, timeout=PATIENCE, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return int(ran.stdout)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="left out: only Linux tells how much memory a process held")
def test_memory(tmp_path: Path) -> None:
    """The first run needs less memory than three copies of the schema, the second almost none (the benchmark measures)."""
    path = settle(write_schema(tmp_path / "schemas", big_schema(size=48_000_000)))
    (tmp_path / "plain.pp").write_text('resource a "pulumi:index:Stash" {\n  input = [1]\n}\n')
    (tmp_path / "shop.pp").write_text('resource a "shop:cart:Cart" {\n  items = []\n}\n')
    options = ("--schemas", str(tmp_path / "schemas"), "--cache-dir", str(tmp_path / "cache"))
    plain = peak_of("check", str(tmp_path / "plain.pp"), *options)
    first = peak_of("check", str(tmp_path / "shop.pp"), *options)
    second = peak_of("check", str(tmp_path / "shop.pp"), *options)
    assert first < 3 * path.stat().st_size
    assert second < plain + 20_000_000
