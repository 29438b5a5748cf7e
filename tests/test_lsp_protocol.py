"""The server over standard input and output, with a real client: each feature once."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient

from tests.support.corpus import ROOT
from tests.support.waiting import PATIENCE

_T = TypeVar("_T")

TEXT = """\
config name string { default = "😀" }
# A pet.
resource pet "random:index/randomPet:RandomPet" {
  length = 2
}

output both { value = "😀${name}-${pet.id}" }
"""

COMMAND = (
    *(sys.executable, "-m", "pclgen", "lsp", "--schemas", str(ROOT / "examples" / "schemas")),
    *("--sources", "files", "--no-cache"),
)


class Editor:
    """A client with the diagnostics that it received."""

    def __init__(self, folder: Path) -> None:
        self.client = LanguageClient("test", "1")
        self.diagnostics: dict[str, list[types.Diagnostic]] = {}
        self.logged: list[str] = []
        self.arrived = asyncio.Event()
        self.folder = folder
        self.path = folder / "main.pp"
        self.document = types.TextDocumentIdentifier(uri=self.path.as_uri())

        def published(params: types.PublishDiagnosticsParams) -> None:
            self.diagnostics[params.uri] = list(params.diagnostics)
            self.arrived.set()

        def logged(params: types.LogMessageParams) -> None:
            self.logged.append(params.message)

        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(published)
        self.client.feature(types.WINDOW_LOG_MESSAGE)(logged)

    async def start(
        self, *encodings: types.PositionEncodingKind, command: Sequence[str] = COMMAND
    ) -> types.InitializeResult:
        await self.client.start_io(*command)
        return await self.initialize(*encodings)

    async def initialize(self, *encodings: types.PositionEncodingKind) -> types.InitializeResult:
        general = types.GeneralClientCapabilities(position_encodings=list(encodings)) if encodings else None
        capabilities = types.ClientCapabilities(general=general)
        folders = [types.WorkspaceFolder(uri=self.folder.as_uri(), name="test")]
        params = types.InitializeParams(capabilities=capabilities, workspace_folders=folders)
        result = await self.client.initialize_async(params)
        self.client.initialized(types.InitializedParams())
        return result

    def open(self, text: str) -> None:
        item = types.TextDocumentItem(uri=self.document.uri, language_id="pcl", version=1, text=text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))

    def change(self, text: str, version: int) -> None:
        self.arrived.clear()
        whole = types.TextDocumentContentChangeWholeDocument(text=text)
        document = types.VersionedTextDocumentIdentifier(uri=self.document.uri, version=version)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        stop: Callable[[], Awaitable[None]] = self.client.stop  # untyped in the library
        await stop()


def with_editor(folder: Path, work: Callable[[Editor], Awaitable[_T]]) -> _T:
    """Start a server, do `work`, for which the server logs nothing, and stop the server, within the time limit of a test."""

    async def run() -> _T:
        editor = Editor(folder)
        result = await asyncio.wait_for(work(editor), PATIENCE)
        assert editor.logged == []
        await asyncio.wait_for(editor.stop(), PATIENCE)
        return result

    return asyncio.run(run())


def position(line: int, character: int) -> types.Position:
    return types.Position(line=line, character=character)


def assert_mapped(shown: Any, uri: str) -> None:
    """Check that the answer to `pclgen.showGenerated` maps generated text to nodes and attributes."""
    lines = shown["files"]["main.go"].split("\n")
    kinds = [(mapping["kind"], mapping["name"]) for mapping in shown["mappings"]["main.go"]]
    resource = [("resource", "pet"), ("input", "length")]
    assert kinds == [("configuration", "name"), *resource, ("output", "both"), ("value", "both")]
    mapped = {mapping["name"]: mapping for mapping in shown["mappings"]["main.go"]}
    start = mapped["pet"]["range"]["start"]["line"]
    assert "// A pet." in lines[start] and "NewRandomPet" in lines[start + 1]
    assert mapped["pet"]["kind"] == "resource"
    source = {"start": {"line": 2, "character": 0}, "end": {"line": 4, "character": 1}}
    assert mapped["pet"]["source"] == {"uri": uri, "range": source}
    part = mapped["length"]["range"]
    assert lines[part["start"]["line"]][part["start"]["character"] : part["end"]["character"]] == "Length: pulumi.Int(2)"
    source = {"start": {"line": 3, "character": 2}, "end": {"line": 3, "character": 12}}
    assert mapped["length"]["source"] == {"uri": uri, "range": source}


def test_each_feature_answers(tmp_path: Path) -> None:
    (tmp_path / "main.pp").write_text(TEXT, encoding="utf-8")

    async def work(editor: Editor) -> None:
        client, document = editor.client, editor.document
        started = await editor.start()
        assert started.capabilities.position_encoding == types.PositionEncodingKind.Utf16
        editor.open(TEXT)
        await editor.arrived.wait()
        assert editor.diagnostics == {document.uri: []}
        name = position(6, 28)  # after two UTF-16 units of the emoji
        places = types.DefinitionParams(document, name)
        definition = await client.text_document_definition_async(places)
        assert isinstance(definition, list) and isinstance(definition[0], types.Location)
        assert definition[0].range == types.Range(position(0, 7), position(0, 11))
        context = types.ReferenceContext(include_declaration=False)
        references = await client.text_document_references_async(types.ReferenceParams(context, document, name))
        assert references is not None and [item.range.start.line for item in references] == [6]
        highlights = await client.text_document_document_highlight_async(types.DocumentHighlightParams(document, name))
        assert highlights is not None and len(highlights) == 2
        hover = await client.text_document_hover_async(types.HoverParams(document, position(3, 4)))
        assert (
            hover is not None and isinstance(hover.contents, types.MarkupContent) and "length: int" in hover.contents.value
        )
        outline = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        assert outline is not None and [item.name for item in outline] == ["name", "pet", "both"]
        search = await client.workspace_symbol_async(types.WorkspaceSymbolParams("pt"))
        assert search is not None and [item.name for item in search] == ["pet"]
        folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document))
        assert folds is not None and [(item.start_line, item.end_line) for item in folds] == [(2, 3)]
        prepared = await client.text_document_prepare_rename_async(types.PrepareRenameParams(document, name))
        assert prepared == types.Range(position(6, 27), position(6, 31))
        edit = await client.text_document_rename_async(types.RenameParams(document, name, "title"))
        assert edit is not None and edit.changes is not None
        assert sorted(item.new_text for item in edit.changes[document.uri])[1:] == ["title", "title"]
        with pytest.raises(JsonRpcException, match="already in use"):
            await client.text_document_rename_async(types.RenameParams(document, name, "pet"))
        offered = await client.text_document_completion_async(types.CompletionParams(document, position(3, 3)))
        assert isinstance(offered, types.CompletionList) and "prefix" in [item.label for item in offered.items]
        call = types.SignatureHelpParams(document, position(6, 20))
        assert await client.text_document_signature_help_async(call) is None
        asked = [{"uri": document.uri, "language": "go"}]
        shown = await client.workspace_execute_command_async(types.ExecuteCommandParams("pclgen.showGenerated", asked))
        assert "NewRandomPet" in str(shown)
        assert_mapped(shown, document.uri)
        nothing = await client.workspace_execute_command_async(types.ExecuteCommandParams("pclgen.showGenerated", [3]))
        assert nothing is None

    with_editor(tmp_path, work)


def test_what_an_editor_draws(tmp_path: Path) -> None:
    (tmp_path / "main.pp").write_text(TEXT, encoding="utf-8")

    async def work(editor: Editor) -> None:
        client, document = editor.client, editor.document
        started = await editor.start()
        editor.open(TEXT)
        name = position(6, 28)
        selected = await client.text_document_selection_range_async(types.SelectionRangeParams(document, [name]))
        assert selected is not None and selected[0].range == types.Range(position(6, 27), position(6, 31))
        assert selected[0].parent is not None
        assert not await client.text_document_document_link_async(types.DocumentLinkParams(document))
        whole = types.Range(position(0, 0), position(9, 0))
        assert not await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
        above = await client.text_document_code_lens_async(types.CodeLensParams(document))
        assert above is not None and [lens.command.title for lens in above if lens.command is not None] == [
            "1 reference",
            "1 reference",
        ]
        tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
        legend = started.capabilities.semantic_tokens_provider
        assert tokens is not None and isinstance(legend, types.SemanticTokensOptions)
        kinds = [(*tokens.data[at : at + 3], legend.legend.token_types[tokens.data[at + 3]]) for at in range(0, 20, 5)]
        assert kinds == [(0, 0, 6, "keyword"), (0, 7, 4, "parameter"), (0, 14, 7, "property"), (2, 0, 8, "keyword")]

    with_editor(tmp_path, work)


def test_a_program_in_pulumi_yaml(tmp_path: Path) -> None:
    text = 'name: p\nruntime: yaml\nresources:\n  pet:\n    type: random:RandomPet\noutputs:\n  both: "😀 ${pet.id}"\n'
    (tmp_path / "Pulumi.yaml").write_text(text, encoding="utf-8")

    async def work(editor: Editor) -> None:
        client = editor.client
        editor.document = document = types.TextDocumentIdentifier(uri=(tmp_path / "Pulumi.yaml").as_uri())
        await editor.start()
        editor.open(text)
        await editor.arrived.wait()
        assert editor.diagnostics == {document.uri: []}
        place = position(6, 15)  # after two UTF-16 units of the emoji
        definition = await client.text_document_definition_async(types.DefinitionParams(document, place))
        assert isinstance(definition, list) and isinstance(definition[0], types.Location)
        assert definition[0].range == types.Range(position(3, 2), position(3, 5))
        hover = await client.text_document_hover_async(types.HoverParams(document, position(4, 14)))
        assert hover is not None and hover.range == types.Range(position(4, 10), position(4, 26))
        offered = await client.text_document_completion_async(types.CompletionParams(document, position(6, 18)))
        assert isinstance(offered, types.CompletionList) and "length" in [item.label for item in offered.items]
        # The editor handles YAML syntax, and the engine knows the keys as names.
        assert await client.text_document_prepare_rename_async(types.PrepareRenameParams(document, place)) is None
        assert await client.text_document_rename_async(types.RenameParams(document, place, "cat")) is None
        assert not await client.text_document_folding_range_async(types.FoldingRangeParams(document))

    with_editor(tmp_path, work)


def test_the_call_hierarchy(tmp_path: Path) -> None:
    (tmp_path / "db").mkdir()
    (tmp_path / "db" / "main.pp").write_text("output url { value = 1 }\n", encoding="utf-8")
    text = 'component db "./db" {}\noutput url { value = db.url }\n'
    (tmp_path / "main.pp").write_text(text, encoding="utf-8")

    async def work(editor: Editor) -> None:
        client, document = editor.client, editor.document
        await editor.start()
        editor.open(text)
        params = types.CallHierarchyPrepareParams(document, position(0, 11))
        [item] = await client.text_document_prepare_call_hierarchy_async(params) or []
        assert (item.name, item.uri) == ("db", (tmp_path / "db" / "main.pp").as_uri())
        [call] = await client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(item)) or []
        assert (call.from_.uri, list(call.from_ranges)) == (document.uri, [types.Range(position(0, 10), position(0, 12))])
        [out] = await client.call_hierarchy_outgoing_calls_async(types.CallHierarchyOutgoingCallsParams(call.from_)) or []
        assert (out.to, out.from_ranges) == (item, call.from_ranges)
        assert not await client.call_hierarchy_outgoing_calls_async(types.CallHierarchyOutgoingCallsParams(item))

    with_editor(tmp_path, work)


def test_diagnostics_come_as_one_types_with_their_fixes(tmp_path: Path) -> None:
    async def work(editor: Editor) -> None:
        client, document = editor.client, editor.document
        started = await editor.start(types.PositionEncodingKind.Utf8)
        encoding = started.capabilities.position_encoding
        editor.open('a   = 1\nb = "😀${c}"\n')
        await editor.arrived.wait()
        [diagnostic] = editor.diagnostics[document.uri]
        assert (diagnostic.code, diagnostic.source) == ("PCL0501", "pclgen")
        width = {types.PositionEncodingKind.Utf8: 4, types.PositionEncodingKind.Utf16: 2}[
            types.PositionEncodingKind(encoding)
        ]
        assert diagnostic.range.start == position(1, 5 + width + 2)
        editor.change('some = 1\nb   = "${soem}"\n', 2)
        await editor.arrived.wait()
        [diagnostic] = editor.diagnostics[document.uri]
        assert diagnostic.code_description is not None and diagnostic.code_description.href.endswith("#pcl0501")
        context = types.CodeActionContext(diagnostics=[diagnostic])
        actions = await client.text_document_code_action_async(types.CodeActionParams(document, diagnostic.range, context))
        assert actions is not None and [entry.title for entry in actions] == ["Replace with `some`"]
        options = types.FormattingOptions(tab_size=2, insert_spaces=True)
        edits = await client.text_document_formatting_async(types.DocumentFormattingParams(document, options))
        assert edits is not None and [entry.new_text for entry in edits] == ['some = 1\nb    = "${soem}"\n']
        item = types.DocumentRangeFormattingParams(document, diagnostic.range, options)
        typed = types.DocumentOnTypeFormattingParams(document, diagnostic.range.end, "}", options)
        for part in (
            await client.text_document_range_formatting_async(item),
            await client.text_document_on_type_formatting_async(typed),
        ):
            assert part is not None and [entry.new_text for entry in part] == ['b    = "${soem}"']
        # A request about a document that is not a file has no answer, and the server keeps running.
        other = types.TextDocumentIdentifier(uri="untitled:1")
        assert await client.text_document_hover_async(types.HoverParams(other, position(9, 9))) is None

    with_editor(tmp_path, work)


PATIENT = "from pclgen.lsp import server; server._SETTLING = 1.0; from pclgen.__main__ import main; main()"
"""A server that waits long enough for further messages on any machine."""


def test_overtaken_and_cancelled_requests(tmp_path: Path) -> None:
    """Edits overtake earlier requests, and the client cancels a request: the server answers only the newest."""

    async def work(editor: Editor) -> None:
        client, document = editor.client, editor.document
        await editor.start(command=[sys.executable, "-c", PATIENT, *COMMAND[3:]])
        editor.open("a0 = 1\n")
        params = types.DocumentSymbolParams(document)
        asked = []
        for number in range(1, 6):
            asked.append(asyncio.ensure_future(client.text_document_document_symbol_async(params)))
            await asyncio.sleep(0)
            editor.change(f"a{number} = 1\n", number + 1)
        method = types.TEXT_DOCUMENT_DOCUMENT_SYMBOL
        taken_back = client.protocol.send_request_async(method, params, msg_id="taken back")
        client.cancel_request(types.CancelParams(id="taken back"))
        newest = await client.text_document_document_symbol_async(params)
        assert newest is not None and [entry.name for entry in newest] == ["a5"]
        *overtaken, cancelled = await asyncio.gather(*asked, taken_back, return_exceptions=True)
        codes = [entry.code for entry in overtaken if isinstance(entry, JsonRpcException)]
        assert codes == [types.LSPErrorCodes.ContentModified] * 5
        assert isinstance(cancelled, JsonRpcException) and cancelled.code == types.LSPErrorCodes.RequestCancelled
        again = await client.text_document_document_symbol_async(params)
        assert again is not None and [entry.name for entry in again] == ["a5"]

    with_editor(tmp_path, work)


def free_port() -> int:
    """A port without a listener."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_server_at_an_address(tmp_path: Path) -> None:
    """An editor connects; the server exits at the end of the session."""
    port = free_port()

    async def connect(editor: Editor) -> None:
        while True:
            try:
                await editor.client.start_tcp("127.0.0.1", port)
            except ConnectionRefusedError:  # the server is not listening yet
                await asyncio.sleep(0.05)
            else:
                return

    async def run() -> int:
        server = await asyncio.create_subprocess_exec(*COMMAND, "--tcp", f"127.0.0.1:{port}")
        editor = Editor(tmp_path)
        try:
            await asyncio.wait_for(connect(editor), PATIENCE)
            await editor.initialize()
            editor.open('b = "${c}"\n')
            await asyncio.wait_for(editor.arrived.wait(), PATIENCE)
            assert [diagnostic.code for diagnostic in editor.diagnostics[editor.document.uri]] == ["PCL0501"]
            await asyncio.wait_for(editor.stop(), PATIENCE)
            return await asyncio.wait_for(server.wait(), PATIENCE)
        finally:
            if server.returncode is None:
                server.kill()

    assert asyncio.run(run()) == 0


def test_without_the_extra_the_command_says_what_to_install() -> None:
    code = "import sys; sys.modules['pygls'] = None; from pclgen.cli.app import main; sys.exit(main(['lsp']))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ran.returncode == 2
    assert "pip install 'pclgen[lsp]'" in ran.stderr and "not installed" in ran.stderr


@pytest.mark.parametrize("words", [["--tcp", "nowhere"], ["--tcp", "a:99999"], ["--stdio", "--tcp", "127.0.0.1:1"]])
def test_an_address_that_is_none_is_refused(words: list[str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pclgen", "lsp", *words], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert ran.returncode == 2
