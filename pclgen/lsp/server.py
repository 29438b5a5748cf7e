"""The server: passes requests of the protocol to a session, and returns its answers.

A failing request is logged and answered with nothing; it never ends the server.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from pclgen.lsp.features import hover, places, symbols
from pclgen.lsp.features.places import lenses
from pclgen.lsp.features.symbols import semantic_tokens
from pclgen.lsp.session import Session, View
from pclgen.lsp.wire import LEGEND, Wire, uri_of
from pclgen.lsp.workspace import Document, Encoding, path_of
from pclgen.schema.discovery import Settings
from pclgen.version import VERSION

_P = TypeVar("_P")
_R = TypeVar("_R")

DELAY = 0.15
"""Idle time before diagnostics are sent, in seconds."""


def serve(settings: Settings, environment: Mapping[str, str], *, address: tuple[str, int] | None = None) -> None:
    """Serve an editor on standard input and output, or at an address, until it ends the session."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    server = make_server(settings, environment)
    if address is None:
        server.start_io()
    else:
        server.start_tcp(*address)


def make_server(settings: Settings, environment: Mapping[str, str]) -> LanguageServer:
    """Return a server with all features, not started."""
    server = LanguageServer("pclgen", VERSION, text_document_sync_kind=types.TextDocumentSyncKind.Full)
    Handlers(server, Session(settings, environment)).register()
    return server


_REFUSED = -32803
"""`RequestFailed` of the protocol: the request is valid, but cannot be fulfilled."""
_MODIFIED = -32801
"""`ContentModified` of the protocol: the answer would be about an outdated text."""
_SETTLING = 0.002
"""Time for which a request waits for later messages, in seconds."""
_PAUSE = 0.3
"""Idle time before a request analyzes a large program as a whole, in seconds, so that typing is not delayed."""


SHOW_GENERATED = "pclgen.showGenerated"
_MOST_ITEMS = 2000


def _generated_arguments(argument: object) -> tuple[str, str]:
    """Return the document and the language of `pclgen.showGenerated`; empty texts if missing."""

    def word(name: str) -> str:
        value = argument.get(name) if isinstance(argument, dict) else getattr(argument, name, None)
        return value if isinstance(value, str) else ""

    return word("uri"), word("language")


class _Positioned(Protocol):
    """Parameters of requests about a position."""

    text_document: types.TextDocumentIdentifier
    position: types.Position


class Handlers:
    """The handlers of protocol methods."""

    def __init__(self, server: LanguageServer, session: Session) -> None:
        self.server = server
        self.session = session
        self.wire: Wire = Wire()
        self._due: asyncio.TimerHandle | None = None

    def register(self) -> None:
        """Register all handlers with the server."""
        notify, answer, prompt = self._notify, self._answer, partial(self._answer, is_prompt=True)
        notify(types.INITIALIZE, self.initialize)
        notify(types.TEXT_DOCUMENT_DID_OPEN, self.did_open)
        notify(types.TEXT_DOCUMENT_DID_CHANGE, self.did_change)
        notify(types.TEXT_DOCUMENT_DID_SAVE, self.did_save)
        notify(types.TEXT_DOCUMENT_DID_CLOSE, self.did_close)
        notify(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, self.did_change_files)
        notify(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, self.did_change_folders)
        prompt(
            types.TEXT_DOCUMENT_CODE_ACTION,
            self.code_action,
            types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
        )
        answer(types.TEXT_DOCUMENT_DEFINITION, self.definition)
        answer(types.TEXT_DOCUMENT_REFERENCES, self.references)
        answer(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, self.highlight)
        answer(types.TEXT_DOCUMENT_PREPARE_RENAME, self.prepare_rename)
        answer(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, self.prepare_calls)
        answer(types.CALL_HIERARCHY_INCOMING_CALLS, self.incoming_calls)
        answer(types.CALL_HIERARCHY_OUTGOING_CALLS, self.outgoing_calls)
        answer(types.TEXT_DOCUMENT_HOVER, self.hover)
        answer(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, self.document_symbol)
        answer(types.WORKSPACE_SYMBOL, self.workspace_symbol)
        answer(types.TEXT_DOCUMENT_FOLDING_RANGE, self.folding)
        answer(types.TEXT_DOCUMENT_SELECTION_RANGE, self.selection)
        answer(types.TEXT_DOCUMENT_DOCUMENT_LINK, self.document_link, types.DocumentLinkOptions())
        answer(types.TEXT_DOCUMENT_CODE_LENS, self.code_lens, types.CodeLensOptions())
        answer(types.TEXT_DOCUMENT_INLAY_HINT, self.inlay_hint, types.InlayHintOptions())
        answer(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, self.semantic_tokens, LEGEND)
        prompt(types.TEXT_DOCUMENT_FORMATTING, self.formatting)
        prompt(types.TEXT_DOCUMENT_RANGE_FORMATTING, self.range_formatting)
        prompt(
            types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
            self.on_type_formatting,
            types.DocumentOnTypeFormattingOptions(first_trigger_character="}"),
        )
        prompt(
            types.TEXT_DOCUMENT_COMPLETION,
            self.completion,
            types.CompletionOptions(trigger_characters=[".", ":", '"', "/", "{"]),
        )
        prompt(
            types.TEXT_DOCUMENT_SIGNATURE_HELP,
            self.signature_help,
            types.SignatureHelpOptions(trigger_characters=["(", ","]),
        )
        show = self.deferred(SHOW_GENERATED, self.show_generated)

        async def show_generated(argument: Any) -> Any:  # the library reads arguments by their annotations
            return await show(argument)

        self.server.command(SHOW_GENERATED)(show_generated)
        answer(types.TEXT_DOCUMENT_RENAME, self.rename, types.RenameOptions(prepare_provider=True))

    def _answer(
        self, method: str, handler: Callable[[_P], _R | None], options: object = None, *, is_prompt: bool = False
    ) -> None:
        """Register the handler of a request."""
        self.server.feature(method, options)(self.deferred(method, handler, is_prompt=is_prompt))

    def deferred(
        self, method: str, handler: Callable[[_P], _R | None], *, is_prompt: bool = False
    ) -> Callable[[_P], Awaitable[_R | None]]:
        """Return a handler that does nothing if newer text or a cancellation overtakes the request.

        It `is_prompt` if it needs no analysis of a draft.
        """
        guarded = self._guarded(method, handler)

        async def answered(params: _P) -> _R | None:
            edits = self.session.edits
            await asyncio.sleep(_SETTLING if is_prompt or not self.session.analyses.is_behind else _PAUSE)
            if self.session.edits != edits:
                raise JsonRpcException("the text has changed", code=_MODIFIED)
            return guarded(params)

        return answered

    def _guarded(self, method: str, handler: Callable[[_P], _R | None]) -> Callable[[_P], _R | None]:
        """Return a handler whose exceptions are logged to the editor."""

        def guarded(params: _P) -> _R | None:
            try:
                return handler(params)
            except JsonRpcException:  # a refusal is a response of its own
                raise
            except Exception:  # a bug in pclgen must not end the server
                self.log(method)
                return None

        return guarded

    def _notify(self, method: str, handler: Callable[[_P], None]) -> None:
        self.server.feature(method)(self._guarded(method, handler))

    def log(self, method: str) -> None:
        """Log the current exception to the editor."""
        message = f"{method}: {traceback.format_exc()}"
        self.server.window_log_message(types.LogMessageParams(type=types.MessageType.Error, message=message))

    def initialize(self, params: types.InitializeParams) -> None:
        """Store the folders; the encoding is known once the protocol has chosen it."""
        folders = [folder.uri for folder in params.workspace_folders or []] or [params.root_uri or ""]
        self.session.workspace.folders = tuple([path for uri in folders if (path := path_of(uri)) is not None])
        self.wire = Wire(Encoding(self.server.workspace.position_encoding or Encoding.UTF16))

    def did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Open a document."""
        self._take(params.text_document.uri, params.text_document.version)

    def did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Update the text of a document."""
        self._take(params.text_document.uri, params.text_document.version)

    def did_save(self, params: types.DidSaveTextDocumentParams) -> None:
        """Update programs that depend on a file."""
        self._saved([params.text_document.uri])

    def did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Close a document, so that the file on disk counts again."""
        path = path_of(params.text_document.uri)
        if path is not None:
            self.session.close(path)
            self.schedule()

    def did_change_files(self, params: types.DidChangeWatchedFilesParams) -> None:
        """Update programs that depend on files."""
        self._saved([change.uri for change in params.changes])

    def did_change_folders(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        """Update the folders of the workspace."""
        gone = {path_of(folder.uri) for folder in params.event.removed}
        added = [path for folder in params.event.added if (path := path_of(folder.uri)) is not None]
        remaining = [folder for folder in self.session.workspace.folders if folder not in gone]
        self.session.workspace.folders = tuple(dict.fromkeys([*remaining, *added]))

    def _take(self, uri: str, version: int | None) -> None:
        path = path_of(uri)
        if path is not None:
            text = self.server.workspace.get_text_document(uri).source
            self.session.open(Document(uri=uri, path=path, text=text, version=version))
            self.schedule()

    def _saved(self, uris: list[str]) -> None:
        self.session.saved([path for uri in uris if (path := path_of(uri)) is not None])
        self.schedule()

    def schedule(self) -> None:
        """Send diagnostics once the editor is idle for a moment."""
        if self._due is not None:
            self._due.cancel()
        self._due = asyncio.get_running_loop().call_later(DELAY, self.publish)

    def publish(self) -> None:
        """Send the diagnostics of all open programs."""
        try:
            for report in self.session.reports():
                document = self.session.workspace.documents.get(report.path)
                diagnostics = [self.wire.diagnostic(mark) for mark in report.marks]
                self.server.text_document_publish_diagnostics(
                    types.PublishDiagnosticsParams(
                        uri=document.uri if document is not None else uri_of(report.path),
                        diagnostics=[self.wire.problem(report.problem)] if report.problem is not None else diagnostics,
                        version=document.version if document is not None else None,
                    )
                )
        except Exception:  # as for requests
            self.log("diagnostics")

    def _view(self, uri: str) -> View | None:
        path = path_of(uri)
        return self.session.view(path) if path is not None else None

    def _pcl(self, uri: str) -> View | None:
        """Return the program around a PCL file, for requests about syntax that Pulumi YAML does not have."""
        view = self._view(uri)
        return None if view is None or view.is_yaml else view

    def _at(self, params: _Positioned, *, only_pcl: bool = False) -> tuple[View, int] | None:
        """Return the program and the offset of a request."""
        path = path_of(params.text_document.uri)
        view = (self._pcl if only_pcl else self._view)(params.text_document.uri)
        lines = self.session.analyses.lines(path) if path is not None else None
        return None if view is None or lines is None else (view, self.wire.offset(lines, params.position))

    def code_action(self, params: types.CodeActionParams) -> list[types.CodeAction] | None:
        """Return the quick fixes for a range of a document."""
        path = path_of(params.text_document.uri)
        lines = self.session.analyses.lines(path) if path is not None else None
        if path is None or lines is None:
            return None
        start, end = self.wire.offset(lines, params.range.start), self.wire.offset(lines, params.range.end)
        fixes = self.session.fixes(path, start, end)
        return [self.wire.action(diagnostic, fix, params.context.diagnostics) for diagnostic, fix in fixes]

    def definition(self, params: types.DefinitionParams) -> list[types.LocationLink] | list[types.Location] | None:
        """Return the declaration of a name."""
        at = self._at(params)
        target = places.definition(at[0].analysis, at[0].file, at[1]) if at is not None else None
        link = self.wire.link(target) if target is not None else None
        if link is None:
            return None
        capabilities = self.server.client_capabilities.text_document
        definition = capabilities.definition if capabilities is not None else None
        if definition is not None and definition.link_support:
            return [link]
        return [types.Location(uri=link.target_uri, range=link.target_selection_range)]

    def references(self, params: types.ReferenceParams) -> list[types.Location] | None:
        """Return all occurrences of a name."""
        at = self._at(params)
        occurrences = places.references(at[0].analysis, at[0].file, at[1]) if at is not None else []
        uses = (use for use in occurrences if params.context.include_declaration or not use.is_declaration)
        return [self.wire.location(use.span) for use in uses]

    def highlight(self, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
        """Return all occurrences of a name in its file."""
        at = self._at(params)
        if at is None:
            return None
        occurrences = places.references(at[0].analysis, at[0].file, at[1])
        kinds = {True: types.DocumentHighlightKind.Write, False: types.DocumentHighlightKind.Read}
        own = (use for use in occurrences if use.span.file is at[0].file.source)
        return [types.DocumentHighlight(range=self.wire.range(use.span), kind=kinds[use.is_declaration]) for use in own]

    def prepare_rename(self, params: types.PrepareRenameParams) -> types.Range | None:
        """Return the renamable name at a position."""
        at = self._at(params, only_pcl=True)
        occurrence = places.renamed_at(at[0].analysis, at[0].file, at[1]) if at is not None else None
        return self.wire.range(occurrence.span) if occurrence is not None else None

    def rename(self, params: types.RenameParams) -> types.WorkspaceEdit | None:
        """Return the edits of a rename. Raises a protocol error with the reason if it is impossible."""
        at = self._at(params, only_pcl=True)
        if at is None:
            return None
        try:
            return self.wire.edits(places.rename(at[0].analysis, at[0].file, at[1], params.new_name))
        except places.RenameError as error:
            raise JsonRpcException(str(error), code=_REFUSED) from error

    def prepare_calls(self, params: types.CallHierarchyPrepareParams) -> list[types.CallHierarchyItem] | None:
        """Return the component at a position, or the program."""
        at = self._at(params, only_pcl=True)
        unit = places.prepare(at[0].analysis, at[0].file, at[1]) if at is not None else None
        return [self.wire.unit(unit)] if unit is not None else None

    def incoming_calls(self, params: types.CallHierarchyIncomingCallsParams) -> list[types.CallHierarchyIncomingCall]:
        """Return the programs that use a component."""
        path = path_of(params.item.uri)
        return [self.wire.incoming(call) for call in self.session.callers(path)] if path is not None else []

    def outgoing_calls(self, params: types.CallHierarchyOutgoingCallsParams) -> list[types.CallHierarchyOutgoingCall]:
        """Return the components that a program uses."""
        path = path_of(params.item.uri)
        return [self.wire.outgoing(call) for call in self.session.called(path)] if path is not None else []

    def hover(self, params: types.HoverParams) -> types.Hover | None:
        """Return the hover text at a position."""
        at = self._at(params)
        hover_text = hover.hover(at[0].analysis, at[0].file, at[1]) if at is not None else None
        return self.wire.hover(hover_text) if hover_text is not None else None

    def completion(self, params: types.CompletionParams) -> types.CompletionList | None:
        """Return the completions at a position."""
        path = path_of(params.text_document.uri)
        lines = self.session.analyses.lines(path) if path is not None else None
        if path is None or lines is None:
            return None
        offset = self.wire.offset(lines, params.position)
        items = [self.wire.item(lines, entry, offset) for entry in self.session.analyses.complete(path, offset)]
        return types.CompletionList(is_incomplete=len(items) > _MOST_ITEMS, items=items[:_MOST_ITEMS])

    def signature_help(self, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        """Return the signature of the call around a position."""
        path = path_of(params.text_document.uri)
        lines = self.session.analyses.lines(path) if path is not None else None
        if path is None or lines is None:
            return None
        call_signature = self.session.analyses.signature(path, self.wire.offset(lines, params.position))
        return self.wire.signature(call_signature) if call_signature is not None else None

    def show_generated(self, argument: object) -> dict[str, object] | None:
        """Return the generated files of a program in a language: `{"uri": …, "language": "python"}`."""
        uri, language = _generated_arguments(argument)
        path = path_of(uri)
        output = self.session.generated(path, language) if path is not None else None
        if output is None:
            return None
        return {
            "language": output.language,
            "files": dict(output.files),
            "messages": list(output.messages),
            "mappings": {path: self.wire.mappings(source_map) for path, source_map in output.maps},
        }

    def document_symbol(self, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
        """Return the outline of a document."""
        view = self._view(params.text_document.uri)
        return None if view is None else [self.wire.symbol(symbol) for symbol in symbols.symbols(view.analysis, view.file)]

    def workspace_symbol(self, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol] | None:
        """Return the matching declarations of the workspace's programs."""
        return [self.wire.workspace_symbol(symbol) for symbol in self.session.search(params.query)]

    def folding(self, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
        """Return the folding ranges."""
        view = self._pcl(params.text_document.uri)
        return None if view is None else [self.wire.fold(fold) for fold in symbols.folds(view.file)]

    def selection(self, params: types.SelectionRangeParams) -> list[types.SelectionRange] | None:
        """Return the nested selections around each of several positions."""
        path = path_of(params.text_document.uri)
        view = self._pcl(params.text_document.uri)
        lines = self.session.analyses.lines(path) if path is not None else None
        if view is None or lines is None:
            return None
        offsets = [self.wire.offset(lines, position) for position in params.positions]
        return [self.wire.selection(symbols.selections(view.file, offset)) for offset in offsets]

    def document_link(self, params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
        """Return the files that a document refers to."""
        view = self._pcl(params.text_document.uri)
        return (
            None if view is None else [self.wire.document_link(target) for target in places.links(view.analysis, view.file)]
        )

    def code_lens(self, params: types.CodeLensParams) -> list[types.CodeLens] | None:
        """Return the reference counts of a document's declarations."""
        view = self._view(params.text_document.uri)
        return None if view is None else [self.wire.lens(lens) for lens in lenses(view.analysis, view.file)]

    def inlay_hint(self, params: types.InlayHintParams) -> list[types.InlayHint] | None:
        """Return types and parameter names in a range of a document."""
        path = path_of(params.text_document.uri)
        view = self._pcl(params.text_document.uri)
        lines = self.session.analyses.lines(path) if path is not None else None
        if view is None or lines is None:
            return None
        start, end = self.wire.offset(lines, params.range.start), self.wire.offset(lines, params.range.end)
        return [self.wire.hint(lines, hint) for hint in hover.hints(view.analysis, view.file, start, end)]

    def semantic_tokens(self, params: types.SemanticTokensParams) -> types.SemanticTokens | None:
        """Return the meaning of the names of a document."""
        view = self._pcl(params.text_document.uri)
        return None if view is None else self.wire.tokens(semantic_tokens(view.analysis, view.file))

    def formatting(self, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        """Return the formatted document; nothing while it has syntax errors."""
        path: Path | None = path_of(params.text_document.uri)
        lines = self.session.analyses.lines(path) if path is not None else None
        text = self.session.formatted(path) if path is not None else None
        if lines is None or text is None:
            return None
        return [] if text == lines.text else [types.TextEdit(self.wire.range_of(lines, 0, len(lines.text)), text)]

    def range_formatting(self, params: types.DocumentRangeFormattingParams) -> list[types.TextEdit] | None:
        """Return the formatted items of a range."""
        return self._formatted_items(params.text_document.uri, params.range)

    def on_type_formatting(self, params: types.DocumentOnTypeFormattingParams) -> list[types.TextEdit] | None:
        """Return the formatted item whose closing bracket was typed."""
        return self._formatted_items(params.text_document.uri, types.Range(params.position, params.position))

    def _formatted_items(self, uri: str, place: types.Range) -> list[types.TextEdit] | None:
        path = path_of(uri)
        lines = self.session.analyses.lines(path) if path is not None else None
        if path is None or lines is None:
            return None
        edit = self.session.formatted_items(path, self.wire.offset(lines, place.start), self.wire.offset(lines, place.end))
        return [] if edit is None else [types.TextEdit(self.wire.range(edit.span), edit.text)]
