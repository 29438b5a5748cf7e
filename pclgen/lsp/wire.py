"""Conversion of pclgen's records to those of the protocol, in the negotiated encoding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from lsprotocol import types

from pclgen.diagnostics.model import Diagnostic, Fix, Severity
from pclgen.lsp.analysis import DefinitionKind
from pclgen.lsp.features.completion import Item, ItemKind, Signature
from pclgen.lsp.features.diagnostics import Mark, Tag
from pclgen.lsp.features.hover import Hint, Hover
from pclgen.lsp.features.places import Call, Edit, Lens, Target, Unit
from pclgen.lsp.features.symbols import Fold, Modifier, SemanticToken, Symbol, TokenKind
from pclgen.lsp.workspace import Encoding, Lines
from pclgen.source.text import SourceFile, Span
from pclgen.sourcemaps import SourceMap

SOURCE = "pclgen"
_SEVERITIES: Mapping[Severity, types.DiagnosticSeverity] = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
_TAGS: Mapping[Tag, types.DiagnosticTag] = {
    Tag.UNNECESSARY: types.DiagnosticTag.Unnecessary,
    Tag.DEPRECATED: types.DiagnosticTag.Deprecated,
}
_ITEMS: Mapping[ItemKind, types.CompletionItemKind] = {
    ItemKind.KEYWORD: types.CompletionItemKind.Keyword,
    ItemKind.TYPE: types.CompletionItemKind.Class,
    ItemKind.PROPERTY: types.CompletionItemKind.Property,
    ItemKind.VARIABLE: types.CompletionItemKind.Variable,
    ItemKind.FUNCTION: types.CompletionItemKind.Function,
    ItemKind.VALUE: types.CompletionItemKind.EnumMember,
}
_KINDS: Mapping[DefinitionKind, types.SymbolKind] = {
    DefinitionKind.LOCAL: types.SymbolKind.Variable,
    DefinitionKind.CONFIG: types.SymbolKind.Property,
    DefinitionKind.RESOURCE: types.SymbolKind.Object,
    DefinitionKind.COMPONENT: types.SymbolKind.Module,
    DefinitionKind.OUTPUT: types.SymbolKind.Event,
    DefinitionKind.HOOK: types.SymbolKind.Function,
    DefinitionKind.TYPE: types.SymbolKind.Class,
    DefinitionKind.LOOP: types.SymbolKind.Variable,
    DefinitionKind.RANGE: types.SymbolKind.Variable,
}


_TOKEN_KINDS = tuple(TokenKind)
_MODIFIERS = tuple(Modifier)
LEGEND = types.SemanticTokensLegend(token_types=[*_TOKEN_KINDS], token_modifiers=[*_MODIFIERS])
"""The meaning of the numbers of `Wire.tokens`."""


class Wire:
    """Records of the protocol; positions are in `encoding`."""

    def __init__(self, encoding: Encoding = Encoding.UTF16) -> None:
        self.encoding = encoding
        self._lines: dict[SourceFile, Lines] = {}

    def range_of(self, lines: Lines, start: int, end: int) -> types.Range:
        """Return the range of a part of a text."""
        first, last = lines.position(start, self.encoding), lines.position(end, self.encoding)
        return types.Range(
            start=types.Position(line=first[0], character=first[1]), end=types.Position(line=last[0], character=last[1])
        )

    def range(self, span: Span) -> types.Range:
        """Return the range of a span."""
        if span.file not in self._lines:
            if len(self._lines) > _MOST_KEPT:
                self._lines.clear()
            self._lines[span.file] = Lines(span.file.text)
        return self.range_of(self._lines[span.file], span.start, span.end)

    def offset(self, lines: Lines, position: types.Position) -> int:
        """Return the offset of a position."""
        return lines.offset(position.line, position.character, self.encoding)

    def mappings(self, source_map: SourceMap) -> list[dict[str, object]]:
        """Return the mappings of a generated file, for `pclgen.showGenerated`."""
        return [
            {
                "range": _plain(self.range(mapping.generated)),
                "source": {
                    "uri": uri_of(Path(mapping.origin.span.file.name)),
                    "range": _plain(self.range(mapping.origin.span)),
                },
                "kind": mapping.origin.kind,
                "name": mapping.origin.name,
            }
            for mapping in source_map.mappings
        ]

    def location(self, span: Span) -> types.Location:
        """Return the location of a span."""
        return types.Location(uri=uri_of(Path(span.file.name)), range=self.range(span))

    def diagnostic(self, mark: Mark) -> types.Diagnostic:
        """Return a diagnostic."""
        related = [types.DiagnosticRelatedInformation(self.location(span), text) for span, text in mark.related]
        return types.Diagnostic(
            range=self.range(mark.span),
            message=mark.message,
            severity=_SEVERITIES[mark.diagnostic.severity],
            code=mark.diagnostic.code,
            code_description=types.CodeDescription(href=mark.href) if mark.href is not None else None,
            source=SOURCE,
            tags=[_TAGS[mark.tag]] if mark.tag is not None else None,
            related_information=related or None,
        )

    def problem(self, message: str) -> types.Diagnostic:
        """Return the reason why a program cannot be analyzed, at the top of a file."""
        top = types.Range(start=types.Position(0, 0), end=types.Position(0, 0))
        return types.Diagnostic(range=top, message=message, severity=types.DiagnosticSeverity.Error, source=SOURCE)

    def action(self, diagnostic: Diagnostic, fix: Fix, reported: Iterable[types.Diagnostic]) -> types.CodeAction:
        """Return a quick fix for one of the diagnostics shown in the editor."""
        return types.CodeAction(
            title=fix.title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[item for item in reported if item.code == diagnostic.code] or None,
            is_preferred=True,
            edit=self.edits([Edit(span=fix.span, text=fix.text)]),
        )

    def edits(self, edits: Iterable[Edit]) -> types.WorkspaceEdit:
        """Return edits of several files."""
        changes: dict[str, list[types.TextEdit]] = {}
        for edit in edits:
            own = changes.setdefault(uri_of(Path(edit.span.file.name)), [])
            own.append(types.TextEdit(range=self.range(edit.span), new_text=edit.text))
        return types.WorkspaceEdit(changes=changes)

    def link(self, target: Target) -> types.LocationLink | None:
        """Return the link to a declaration."""
        if target.span is not None:
            place = self.location(target.span)
        elif target.file is not None:
            top = types.Position(line=0, character=0)
            place = types.Location(uri=uri_of(target.file), range=types.Range(start=top, end=top))
        else:
            return None
        return types.LocationLink(
            target_uri=place.uri,
            target_range=place.range,
            target_selection_range=place.range,
            origin_selection_range=self.range(target.origin),
        )

    def unit(self, unit: Unit) -> types.CallHierarchyItem:
        """Return a program or a component of the call hierarchy."""
        source = unit.source
        return types.CallHierarchyItem(
            name=unit.name,
            kind=types.SymbolKind.Module,
            uri=uri_of(Path(source.name)),
            range=self.range(source.span(0, len(source.text))),
            selection_range=self.range(source.span(0, 0)),
        )

    def incoming(self, call: Call) -> types.CallHierarchyIncomingCall:
        """Return a program that uses a component."""
        ranges = [self.range(span) for span in call.spans]
        return types.CallHierarchyIncomingCall(from_=self.unit(call.unit), from_ranges=ranges)

    def outgoing(self, call: Call) -> types.CallHierarchyOutgoingCall:
        """Return a component that a program uses."""
        ranges = [self.range(span) for span in call.spans]
        return types.CallHierarchyOutgoingCall(to=self.unit(call.unit), from_ranges=ranges)

    def hover(self, hover: Hover) -> types.Hover:
        """Return a hover text."""
        content = types.MarkupContent(kind=types.MarkupKind.Markdown, value=hover.text)
        return types.Hover(contents=content, range=self.range(hover.span))

    def symbol(self, symbol: Symbol) -> types.DocumentSymbol:
        """Return an entry of an outline."""
        return types.DocumentSymbol(
            name=symbol.name or '""',
            detail=symbol.detail or symbol.kind.value,
            kind=_KINDS[symbol.kind],
            range=self.range(symbol.span),
            selection_range=self.range(symbol.name_span),
        )

    def workspace_symbol(self, symbol: Symbol) -> types.WorkspaceSymbol:
        """Return a search result of the workspace."""
        place = self.location(symbol.name_span)
        return types.WorkspaceSymbol(
            location=place, name=symbol.name, kind=_KINDS[symbol.kind], container_name=symbol.detail or None
        )

    def item(self, lines: Lines, item: Item, offset: int) -> types.CompletionItem:
        """Return a completion that ends at `offset`."""
        place = self.range_of(lines, item.start, offset)
        return types.CompletionItem(
            label=item.label,
            kind=_ITEMS[item.kind],
            detail=item.detail or None,
            documentation=types.MarkupContent(types.MarkupKind.Markdown, item.doc) if item.doc else None,
            sort_text=f"{item.rank}{item.label}",
            filter_text=item.label,
            text_edit=types.TextEdit(range=place, new_text=item.label),
            tags=[types.CompletionItemTag.Deprecated] if item.deprecated else None,
        )

    @staticmethod
    def signature(call: Signature) -> types.SignatureHelp:
        """Return the signature of a call."""
        parameters = [types.ParameterInformation(label=name, documentation=doc) for name, doc in call.parameters]
        information = types.SignatureInformation(label=call.label, documentation=call.doc, parameters=parameters)
        return types.SignatureHelp(signatures=[information], active_signature=0, active_parameter=call.active)

    def document_link(self, target: Target) -> types.DocumentLink:
        """Return a link to a file."""
        file = Path(target.span.file.name) if target.span is not None else target.file
        return types.DocumentLink(range=self.range(target.origin), target=uri_of(file) if file is not None else None)

    def lens(self, lens: Lens) -> types.CodeLens:
        """Return a line above a declaration; it runs no command."""
        return types.CodeLens(range=self.range(lens.span), command=types.Command(title=lens.text, command=""))

    def hint(self, lines: Lines, hint: Hint) -> types.InlayHint:
        """Return an inlay hint."""
        kind = types.InlayHintKind.Parameter if hint.is_parameter else types.InlayHintKind.Type
        place = self.range_of(lines, hint.offset, hint.offset).start
        return types.InlayHint(position=place, label=hint.text, kind=kind, padding_right=hint.is_parameter or None)

    def selection(self, spans: Iterable[Span]) -> types.SelectionRange:
        """Return nested ranges, the innermost first."""
        innermost: types.SelectionRange | None = None
        for span in reversed(list(spans)):
            innermost = types.SelectionRange(range=self.range(span), parent=innermost)
        assert innermost is not None
        return innermost

    def tokens(self, semantic_tokens: Iterable[SemanticToken]) -> types.SemanticTokens:
        """Return names in the encoding of the protocol: each relative to the previous name."""
        data: list[int] = []
        line = character = 0
        for token in semantic_tokens:
            place = self.range(token.span)
            start = place.start
            data += [start.line - line, start.character - (character if start.line == line else 0)]
            data += [place.end.character - start.character, _TOKEN_KINDS.index(token.kind)]
            data.append(sum(1 << _MODIFIERS.index(modifier) for modifier in token.modifiers))
            line, character = start.line, start.character
        return types.SemanticTokens(data=data)

    @staticmethod
    def fold(fold: Fold) -> types.FoldingRange:
        """Return a range of foldable lines."""
        kind = types.FoldingRangeKind.Comment if fold.is_comment else types.FoldingRangeKind.Region
        return types.FoldingRange(start_line=fold.start, end_line=fold.end, kind=kind)


_MOST_KEPT = 500
"""Maximum number of texts whose lines are cached."""


def _plain(text_range: types.Range) -> dict[str, dict[str, int]]:
    """Return a range as JSON, since the protocol does not define the results of commands."""
    places = {"start": text_range.start, "end": text_range.end}
    return {key: {"line": place.line, "character": place.character} for key, place in places.items()}


def uri_of(path: Path) -> str:
    """Return the URI of a file."""
    return path.absolute().as_uri()
