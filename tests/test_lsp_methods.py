"""The documented methods: the tests use each supported method over stdio, and the table lists each announced method."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
from lsprotocol import types

from pclgen.lsp.server import make_server
from pclgen.schema.discovery import Settings
from tests.support.corpus import ROOT
from tests.test_lsp_protocol import Editor, position, with_editor

_ROW = re.compile(r"^\| `([\w/]+)` \| (yes|no) \| (?:yes|no) \| (?:yes|no) \|$", re.MULTILINE)
TABLE = dict(_ROW.findall((ROOT / "docs" / "reference" / "lsp.md").read_text(encoding="utf-8")))
OWN = {method for method, answer in TABLE.items() if answer == "yes"}

TEXT = """\
component db "./db" {}
config name string {  default = "a" }
text = readFile("a.txt")
output x {
  value = join("-", [naem, name, db.url])
}
"""

CAPABILITIES: Mapping[str, tuple[str, ...]] = {
    "text_document_sync": tuple(f"textDocument/did{word}" for word in ("Open", "Change", "Close", "Save")),
    "completion_provider": (types.TEXT_DOCUMENT_COMPLETION,),
    "hover_provider": (types.TEXT_DOCUMENT_HOVER,),
    "signature_help_provider": (types.TEXT_DOCUMENT_SIGNATURE_HELP,),
    "definition_provider": (types.TEXT_DOCUMENT_DEFINITION,),
    "references_provider": (types.TEXT_DOCUMENT_REFERENCES,),
    "document_highlight_provider": (types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT,),
    "document_symbol_provider": (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL,),
    "code_action_provider": (types.TEXT_DOCUMENT_CODE_ACTION,),
    "code_lens_provider": (types.TEXT_DOCUMENT_CODE_LENS,),
    "document_link_provider": (types.TEXT_DOCUMENT_DOCUMENT_LINK,),
    "workspace_symbol_provider": (types.WORKSPACE_SYMBOL,),
    "document_formatting_provider": (types.TEXT_DOCUMENT_FORMATTING,),
    "document_range_formatting_provider": (types.TEXT_DOCUMENT_RANGE_FORMATTING,),
    "document_on_type_formatting_provider": (types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,),
    "rename_provider": (types.TEXT_DOCUMENT_RENAME, types.TEXT_DOCUMENT_PREPARE_RENAME),
    "folding_range_provider": (types.TEXT_DOCUMENT_FOLDING_RANGE,),
    "selection_range_provider": (types.TEXT_DOCUMENT_SELECTION_RANGE,),
    "execute_command_provider": (types.WORKSPACE_EXECUTE_COMMAND,),
    "call_hierarchy_provider": (types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY,),
    "semantic_tokens_provider": (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,),
    "inlay_hint_provider": (types.TEXT_DOCUMENT_INLAY_HINT,),
    "workspace": (types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,),
}
"""The methods of each announced capability."""

BUILT_IN = {"initialize", "initialized", "shutdown", "exit"}
SENT = {types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, types.WINDOW_LOG_MESSAGE}
"""Notifications of the server."""


def params(editor: Editor, item: types.CallHierarchyItem) -> Mapping[str, Any]:
    """Parameters for each request that the server can answer about the program."""
    document = editor.document
    name, use = position(4, 28), types.Range(position(4, 21), position(4, 25))
    layout = types.FormattingOptions(tab_size=2, insert_spaces=True)
    whole = types.Range(position(0, 0), position(6, 0))
    asked = [{"uri": document.uri, "language": "go"}]
    return {
        types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionParams(document, use, types.CodeActionContext(diagnostics=[])),
        types.TEXT_DOCUMENT_CODE_LENS: types.CodeLensParams(document),
        types.TEXT_DOCUMENT_COMPLETION: types.CompletionParams(document, name),
        types.TEXT_DOCUMENT_DEFINITION: types.DefinitionParams(document, name),
        types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: types.DocumentHighlightParams(document, name),
        types.TEXT_DOCUMENT_DOCUMENT_LINK: types.DocumentLinkParams(document),
        types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: types.DocumentSymbolParams(document),
        types.TEXT_DOCUMENT_FOLDING_RANGE: types.FoldingRangeParams(document),
        types.TEXT_DOCUMENT_FORMATTING: types.DocumentFormattingParams(document, layout),
        types.TEXT_DOCUMENT_HOVER: types.HoverParams(document, name),
        types.TEXT_DOCUMENT_INLAY_HINT: types.InlayHintParams(document, whole),
        types.TEXT_DOCUMENT_ON_TYPE_FORMATTING: types.DocumentOnTypeFormattingParams(document, position(1, 37), "}", layout),
        types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: types.CallHierarchyPrepareParams(document, position(0, 11)),
        types.CALL_HIERARCHY_INCOMING_CALLS: types.CallHierarchyIncomingCallsParams(item),
        types.CALL_HIERARCHY_OUTGOING_CALLS: types.CallHierarchyOutgoingCallsParams(attrs.evolve(item, uri=document.uri)),
        types.TEXT_DOCUMENT_PREPARE_RENAME: types.PrepareRenameParams(document, name),
        types.TEXT_DOCUMENT_RANGE_FORMATTING: types.DocumentRangeFormattingParams(document, whole, layout),
        types.TEXT_DOCUMENT_REFERENCES: types.ReferenceParams(types.ReferenceContext(True), document, name),
        types.TEXT_DOCUMENT_RENAME: types.RenameParams(document, name, "title"),
        types.TEXT_DOCUMENT_SELECTION_RANGE: types.SelectionRangeParams(document, [name]),
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: types.SemanticTokensParams(document),
        types.TEXT_DOCUMENT_SIGNATURE_HELP: types.SignatureHelpParams(document, position(4, 15)),
        types.WORKSPACE_EXECUTE_COMMAND: types.ExecuteCommandParams("pclgen.showGenerated", asked),
        types.WORKSPACE_SYMBOL: types.WorkspaceSymbolParams("name"),
    }


def test_each_method_of_the_table_answers(tmp_path: Path) -> None:
    (tmp_path / "db").mkdir()
    (tmp_path / "db" / "main.pp").write_text("output url { value = 1 }\n", encoding="utf-8")
    (tmp_path / "a.txt").write_text("a", encoding="utf-8")
    (tmp_path / "main.pp").write_text(TEXT, encoding="utf-8")

    async def work(editor: Editor) -> None:
        started = await editor.start()
        announced = {name for name, value in attrs.asdict(started.capabilities, recurse=False).items() if value is not None}
        announced -= {"position_encoding"}
        methods = {method for name in announced for method in CAPABILITIES[name]}
        assert methods <= OWN
        editor.open(TEXT)
        await editor.arrived.wait()
        prepare = types.CallHierarchyPrepareParams(editor.document, position(0, 11))
        [item] = await editor.client.text_document_prepare_call_hierarchy_async(prepare) or []
        requests = params(editor, item)
        notifications = {method for method in OWN if "/did" in method}
        assert set(requests) | notifications | BUILT_IN | SENT == OWN
        for method, asked in requests.items():
            assert await editor.client.protocol.send_request_async(method, asked), method

    with_editor(tmp_path, work)


def test_each_registered_method_is_in_the_table() -> None:
    server = make_server(Settings(), {})
    registered = {*server.protocol.fm.features, *BUILT_IN, *SENT, types.WORKSPACE_EXECUTE_COMMAND}
    assert registered == OWN
