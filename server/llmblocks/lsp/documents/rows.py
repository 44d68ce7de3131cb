"""The findings of a document as JSON text, remembered on the nodes of its tree as long as they are the same."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from llmblocks.core.section import Joined
from llmblocks.core.sequence import holding_parts
from llmblocks.core.tree import Node
from llmblocks.lsp.documents.forms import Forms

if TYPE_CHECKING:
    from llmblocks.core.document import Document
    from llmblocks.core.section import Piece
    from llmblocks.lsp.documents.columns import ClientPositions
    from llmblocks.lsp.documents.diagnostics import Form
    from llmblocks.lsp.documents.forms import Inside
    from llmblocks.lsp.documents.name_diagnostics import NameDiagnostics
    from llmblocks.lsp.documents.silenced_diagnostics import SilencedDiagnostics
    from llmblocks.rules.checker import Checker


class Cut(NamedTuple):
    """Where findings are not shown any more: the client's line of the first piece, and that of its section."""

    line: int
    section: int


class _Written(NamedTuple):
    """What is shown of a node, as JSON where it begins on a line of the client.

    Shape: it holds for the same `silenced`; `moved` is the same for as long as its targets stand where they stood, None
           if it has none. Where it has a `cut`, it holds for the same number `left` of findings that are shown. The
           lowest nodes have a `form`, others the children that have findings, as in `_children`.
    """

    silenced: int
    moved: int | None
    line: int
    left: int
    cut: Cut | None
    amount: int
    json: bytes
    form: Form | None
    filled: Iterable[tuple[Any, int, int, int]]

    def holds(self, silenced: int, left: int) -> bool:
        """Whether as much of it is shown as it has, or more."""
        return self.silenced == silenced and (self.amount <= left if self.cut is None else self.left == left)


class Shown(NamedTuple):
    """The findings that are shown, as JSON. Shape: all are shown where there is no `cut`."""

    items: bytes
    cut: Cut | None


class Rows:
    """The first findings of a document as JSON. After an edit, one path of nodes is written anew.

    Shape: `forget` says that the findings in a piece are others, or their places on its first line.
    """

    def __init__(
        self,
        check: Checker,
        document: Document,
        positions: ClientPositions,
        uri: str,
        names: NameDiagnostics,
        silences: SilencedDiagnostics,
    ) -> None:
        self._check = check
        self._document = document
        self._names = names
        self._silences = silences
        self._forms = Forms(check, document, positions, uri, names, silences)
        # nothing that leads to the document: what is remembered on it would be a cycle
        self._key = object()
        self.forget = _forgets(self._key, self._forms.known)
        self._moved = self._targets = self._left = self._stop = 0
        self._parts: list[bytes] = []
        self._cut: Cut | None = None
        self._holding: set[Any] = set()

    def silence(self) -> None:
        """Comments silence something else than before."""
        self._forms.silenced += 1

    def move(self) -> None:
        """Related places may stand on other lines, or at other characters of the same line."""
        self._moved += 1

    def first(self, most: int, stop: int = sys.maxsize) -> Shown:
        """The first findings of the document, in front of a section that begins at `stop`."""
        self._left, self._stop, self._parts, self._cut = most, stop, [], None
        self._holding = holding_parts(self._silences.own)
        self._write(self._document.sections.root, 0, 0, None, 0)
        self._names.forget_lines()
        return Shown(b",".join(filter(None, self._parts)), self._cut)

    def _write(self, part: Any, start: int, line: int, inside: Inside | None, number: int) -> None:
        """Write what is shown of a part of the document.

        Shape: `inside` is the long section that it is in, where it begins with the piece of a number.
        """
        if isinstance(part, Joined):
            self._write(part.pieces, start, line, self._forms.inside(part, start, line), 0)
            return
        is_kept = isinstance(part, Node) and start + part.length <= self._stop
        if not is_kept or (inside and inside.states(number, part.leaves)):
            self._write_anew(part, start, line, inside, number, None)
            return
        known: _Written | None = (part.memory or {}).get(self._key)
        silenced, left = self._forms.silenced, self._left
        if known is not None and not known.holds(silenced, left):
            known = None
        if known is not None and known.line == line and known.moved in (None, self._moved):
            self._put(known.json, known.amount, has_targets=known.moved is not None)
            self._cut = known.cut
            return
        first, targets = len(self._parts), self._targets
        form, filled = self._write_anew(part, start, line, inside, number, known)
        json = b",".join(filter(None, self._parts[first:]))
        self._parts[first:] = [json]
        moved = self._moved if self._targets > targets else None
        if part.memory is None:
            part.memory = {}
        part.memory[self._key] = _Written(silenced, moved, line, left, self._cut, left - self._left, json, form, filled)

    def _write_anew(
        self, part: Any, start: int, line: int, inside: Inside | None, number: int, known: _Written | None
    ) -> tuple[Form | None, list[tuple[Any, int, int, int]]]:
        """Write what is shown of a part, of which all was `known`. See `_Written` for the result."""
        known = known if known and known.cut is None else None
        filled: list[tuple[Any, int, int, int]] = []
        if part.height == 1 and not any(isinstance(each, Joined) for each in part.children):
            form = known and known.form
            if form is None:
                form, cut = self._forms.of(part.children, start, line, inside, number, self._left, self._stop)
                if cut is not None:
                    self._cut = Cut(cut, inside.line if inside else cut)
            if form.amount:
                self._put(form.at(line, self._names.place), form.amount, has_targets=form.has_targets)
            return form, filled
        for child, ahead, above, skipped in known.filled if known else _children(part):
            if start + ahead >= self._stop or self._cut is not None:
                break
            if self._may_hold(child, inside, number + skipped):
                left = self._left
                self._write(child, start + ahead, line + above, inside, number + skipped)
                if self._left < left:
                    filled.append((child, ahead, above, skipped))
        return None, filled

    def _put(self, json: bytes, amount: int, *, has_targets: bool) -> None:
        self._parts.append(json)
        self._left -= amount
        self._targets += has_targets

    def _may_hold(self, part: Any, inside: Inside | None, number: int) -> bool:
        """Whether anything may be found in a part."""
        if self._names.count or part in self._holding:
            return True
        if inside is None:
            return bool(part.finding_count)
        return inside.states(number, part.leaves) or self._check.counted(part) > 0


def _forgets(key: object, known: dict[Piece, Any]) -> Callable[[Piece], None]:
    """What forgets a piece, and all nodes around it. It does not lead to the document, which holds it."""

    def forget(piece: Piece) -> None:
        known.pop(piece, None)
        part: Any = piece
        while part is not None:
            if part.memory is not None:
                part.memory.pop(key, None)
            part = part.around and part.around()

    return forget


def _children(node: Any) -> Iterator[tuple[Any, int, int, int]]:
    """The children of a node, each with the code points, the client's lines and the leaves before it."""
    length = lines = leaves = 0
    for child in node.children:
        yield child, length, lines, leaves
        length += child.length
        lines += child.newlines + child.returns
        leaves += child.leaves
