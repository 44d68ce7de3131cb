"""The analysed texts, with the client's changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from llmblocks.contract.other_files import OtherFiles
from llmblocks.contract.paint import Paints
from llmblocks.core.document import Document
from llmblocks.core.edits import Edit
from llmblocks.core.index import Index
from llmblocks.core.places import Elsewhere
from llmblocks.core.scan import Scanner
from llmblocks.core.symbol import Role
from llmblocks.languages import registry
from llmblocks.languages.language import Language
from llmblocks.lsp.documents.diagnostics import DocumentDiagnostics
from llmblocks.lsp.documents.places import Encoding, Places, code_points
from llmblocks.lsp.documents.plain import BREAK, ClientText, difference
from llmblocks.lsp.documents.tokens import SentTokens
from llmblocks.lsp.wire.params import LspChange
from llmblocks.lsp.wire.values import Diagnostic
from llmblocks.rules.checker import Checker
from llmblocks.settings.values import Settings
from llmblocks.workspace.other_logs import unlisted

_LONG_LINE = 1 << 13
_NO_VALUE = "no-value"
"""The case of a finding about an argument without a value yet."""


class Languages:
    """The languages and checkers for one set of settings, kept from their first use, since sections cache findings."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._known: dict[str, tuple[Scanner, Checker]] = {}

    def prepare(self) -> Iterator[None]:
        """Load and compile the needs of each language's first document in steps, those with few layers first."""
        for language in sorted(registry.LANGUAGES, key=lambda each: len(each.layers)):
            opened = self.open(language.sample, language.id, "", "utf-16")
            if opened is not None:
                opened.diagnostics()
            yield

    def open(
        self,
        text: str,
        language_id: str,
        uri: str,
        encoding: Encoding,
        other_files: Callable[[Language, str], OtherFiles] = lambda language, uri: unlisted(language, unquote(uri)),
        host: str | None = None,
    ) -> AnalysedText | None:
        """Start to analyse a text; None if its language is not ours.

        `other_files` returns the other files of the session; `host` is the URI of the document that embeds the text.
        """
        known = registry.known_language(language_id, unquote(uri))
        if known is None:
            return None
        language = registry.find_language(known)
        if known not in self._known:
            self._known[known] = language.scanner(self.settings), Checker(language, self.settings)
        scanner, checker = self._known[known]
        document = Document(scanner, text, checker.count_findings)
        others = other_files(language, uri)
        return AnalysedText(document, language, self.settings, checker, encoding, host or uri, others)


@dataclass(eq=False)
class LiveNames:
    """The current names of an open document. `uri` is the client's."""

    index: Index
    document: Document
    encoding: Encoding
    uri: str

    def kinds(self) -> Collection[tuple[Role, str]]:
        return self.index.kinds()

    def names(self, role: Role, kind: str) -> Collection[str]:
        return self.index.names(role, kind)

    def places(self, role: Role, kind: str, name: str) -> list[Elsewhere]:
        index = self.index
        placed = index.definitions(kind, name) if role == "definition" else index.references(kind, name)
        starts = [(index.start_of(piece), symbol) for piece, symbol in placed]
        return [self._place(start + symbol.start, start + symbol.end) for start, symbol in starts]

    def _place(self, start: int, end: int) -> Elsewhere:
        # changes may wait in the text itself
        text = ClientText(self.document, self.encoding)
        line, _ = text.position(start)
        before = self.document.slice(text.begin(line) or 0, start)
        return Elsewhere(self.uri, start, line, before, self.document.slice(start, end))


class AnalysedText(ClientText):
    """A text of ours. `told` are its findings, without waiting changes.

    Changes on one line wait while the user types, and become one edit on demand.
    """

    def __init__(
        self,
        document: Document,
        language: Language,
        settings: Settings,
        checker: Checker,
        encoding: Encoding,
        uri: str,
        other_files: OtherFiles,
    ) -> None:
        self.language = language
        self.settings = settings
        self.other_files = other_files
        super().__init__(document, encoding)
        names = checker.names(document, other_files)
        self.names = None if names is None else LiveNames(names.index, document, encoding, uri)
        self.told = DocumentDiagnostics(checker, names, document, encoding, uri, settings.max_diagnostics)
        self.sent_tokens = SentTokens()
        self._waiting: list[LspChange] = []
        self._line = -1

    @property
    def document(self) -> Document:
        """The engine's document with all changes applied. Valid until the next change."""
        self.settle()
        return self._document

    @property
    def paints(self) -> Paints:
        if not self.settings.declared_tags:
            return self.language.paints(self.settings)
        from llmblocks.rules.languages_in_blocks import paints_of

        return paints_of(self.language, self.settings)

    def apply(self, change: LspChange) -> None:
        span, text = change
        is_typed = span is not None and span.start_line == span.end_line and "\n" not in text and "\r" not in text
        line = span.start_line if span is not None and is_typed else -1
        if line < 0 or line != self._line:
            self.settle()
        self._waiting.append(change)
        self._line = line

    def settle(self) -> None:
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        start = self.begin(self._line) if len(waiting) > 1 else None
        before = "" if start is None else BREAK.split(self._document.slice(start, start + _LONG_LINE + 1), 1)[0]
        if start is None or len(before) > _LONG_LINE:
            for change in waiting:
                super().apply(change)
            return
        typed = before
        for span, text in waiting:
            assert span is not None, "it is on the line"
            ends = span.start_character, span.end_character
            first, last = sorted([code_points(typed, each, self.encoding) for each in ends])
            typed = typed[:first] + text + typed[last:]
        if (edit := difference(before, typed)) is not None:
            self._edit(edit.moved(start))

    def diagnostics(self, places: Places | None = None) -> list[Diagnostic]:
        """Return its diagnostics up to the limit, then the number of the others."""
        self.settle()
        return self.told.items(places or self)

    def incomplete_lines(self, line: int) -> set[int]:
        """Return a line of the client at the caret, and those of arguments without a value in the same section."""
        placed = self.document.section_at(self.offset(line, 0))
        found = self.told.findings(placed.start, placed.end)
        return {line, *[self.position(each.start)[0] for each in found if each.data.get("case") == _NO_VALUE]}

    def append(self, text: str) -> None:
        end = len(self.document)
        self._edit(Edit(end, end, text))

    def ends_with(self, text: str) -> bool:
        document = self.document
        return document.slice(max(0, len(document) - len(text)), len(document)) == text

    def _edit(self, edit: Edit) -> None:
        self.told.note(self._document.edit(*edit))
