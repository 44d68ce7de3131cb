"""Strings of Python, TypeScript and JavaScript that a comment marks or a setting names."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from llmblocks.code.grammar import grammar
from llmblocks.core.edits import Edit
from llmblocks.facts.problem import Problem
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.hosts.embedded import EmbeddedText, EmbeddedTexts, Host, Segment, begins_with_a_call
from llmblocks.hosts.literals import Form, Hole
from llmblocks.settings.rules import D004_UNREAD_TEXT

if TYPE_CHECKING:
    from tree_sitter import Language, Node

NO_PARSER: Final = "the strings of code are read with tree-sitter, which " + (
    "WebAssembly does not have: run llmblocks with Python"
    if sys.platform == "emscripten"
    else "is not installed: pip install 'llmblocks[code]'"
)
Names = tuple[tuple[re.Pattern[str], str], ...]
_QUERY: Final = {
    "python": "(comment) @comment (string) @string",
    "script": "(comment) @comment (string) @string (template_string) @string",
}
_HOLES: Final = ("interpolation", "template_substitution")
_AROUND: Final = frozenset(("parenthesized_expression", "as_expression", "satisfies_expression", "arguments"))
_NAMED: Final = {
    "assignment": "left",
    "assignment_expression": "left",
    "keyword_argument": "name",
    "pair": "key",
    "variable_declarator": "name",
    "public_field_definition": "name",
    "field_definition": "property",
    "call": "function",
    "call_expression": "function",
}
_LAST_NAME = re.compile(r"([A-Za-z_$][\w$-]*)['\"\]]*$")
_STRING_START = re.compile(r"([A-Za-z]*)('''|\"\"\"|'|\")")
_SIGN: Final = "llmblocks:"
_TAG = re.compile(r"</?([A-Za-z_][\w-]*)")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_BLANKS = re.compile(r"(?:\s|\\[nrt]|\\\r?\n)*")


class Code(Host):
    """Finds marked strings in code.

    A string is marked by a comment, `# llmblocks: gadget` or `/* gadget */`, or by the name of its variable, key,
    argument or function if that is one of `names`. A comment precedes its string, on the same line or on the one
    before. In a string with placeholders, their text is unknown, so it is read in several versions.
    """

    def __init__(self, language_id: str, languages: Sequence[str], names: Names, markers: Markers) -> None:
        self._id = language_id
        self._names = names
        self._markers = markers
        start, arg, end = markers.start, markers.arg, markers.end
        self._stand_ins = (
            *("hole{}", "", "\n", "x", "0", '"', "'", "{", "}", ">", "<!--", "-->", "\n```\n"),
            *(f"\n{start}hole:hole{{}}\n", f"\n{arg}hole{{}}\n", f"\n{end}\n"),
            *("\n@user\n", "\n@ai id='hole{}'\n", "\n@*/\n"),
        )
        """The texts for placeholders: words, and beginnings and ends of constructs."""
        any_id = "|".join(map(re.escape, languages))
        self._mark = re.compile(rf"(?:#|//|/\*)\s*llmblocks:\s*({any_id})\s*(?:\*/)?\s*")
        self._short = re.compile(rf"/\*\s*({any_id})\s*\*/")

    def settled(self, text: str) -> Code | None:
        # without the parsers, it finds nothing
        return self if grammar(self._id) is not None else None

    def may_embed(self, text: str) -> bool:
        return bool(self._marks(text)) or any(name.search(text) for name, _ in self._names)

    def read(self, text: str) -> EmbeddedTexts:
        signs = self._marks(text) or [place.start() for name, _ in self._names if (place := name.search(text))][:1]
        may_have_calls = self._markers.start in text
        language = grammar(self._id) if signs or may_have_calls else None
        if language is None:
            return EmbeddedTexts((), unread=(min(signs), NO_PARSER) if signs else None)
        texts: list[EmbeddedText] = []
        versions: list[tuple[EmbeddedText, ...]] = []
        unread: list[Problem] = []
        for first, start, end, form, holes, language_id in self._strings(text, language, unmarked=may_have_calls):
            try:
                if not language_id:
                    if self._is_call(text, start, end, form, holes):
                        unread.append(self._unread(text, first, start))
                elif holes:
                    versions.append(self._versions(text, start, end, form, holes, language_id))
                else:
                    texts.append(EmbeddedString(language_id, form.segments(text, start, end, ()), form))
            except (ValueError, OverflowError):
                # an invalid escape
                continue
        return EmbeddedTexts(texts, unread, versions)

    def _is_call(self, text: str, start: int, end: int, form: Form, holes: Sequence[Hole]) -> bool:
        """Return whether a string over several lines begins with a call that is more than a header.

        A string with its line ends as escapes is a program's, such as the input of a test; prompts are written as text.
        """
        if text.find("\n", start, end) < 0:
            return False
        if not text.startswith(self._markers.start, _BLANKS.match(text, start, end).end()):  # type: ignore[union-attr]
            return False
        parts = form.segments(text, start, end, [(hole, "hole") for hole in holes])
        whole = "".join([each.text for each in parts])
        return begins_with_a_call(whole, self._markers) and (self._markers.arg in whole or self._markers.end in whole)

    def _unread(self, text: str, first: int, start: int) -> Problem:
        """Return the problem of a string that nothing reads: from `first` on; its text begins at `start`.

        Its `mark` counts from `first`.
        """
        line = max(text.rfind("\n", 0, first), text.rfind("\r", 0, first)) + 1
        before = text[line:first]
        mark: Edit | None = Edit(0, 0, "/* gadget */ ")
        if self._id == "python":
            indent = before[: len(before) - len(before.lstrip())]
            mark = Edit(line - first, line - first, f"{indent}# {_SIGN} gadget\n")
            if "'" in before or '"' in before:
                # the comment would apply to another string
                mark = None
        return Problem(D004_UNREAD_TEXT, first, start, {"case": "string", "mark": mark, "title": "Mark the string"})

    def _marks(self, text: str) -> list[int]:
        """Return the places where comments may mark strings."""
        # each key in code calls this, and a pattern that begins with a choice is slow
        found = [*self._mark.finditer(text)] if _SIGN in text else []
        return [each.start() for each in (*found, *self._short.finditer(text))]

    def outside(self, text: str, embedded: EmbeddedText, edit: Edit) -> Edit:
        assert isinstance(embedded, EmbeddedString)
        start, end = embedded.span(edit.start, edit.end)
        return Edit(start, end, embedded.form.written(text, edit.text))

    def _versions(
        self, text: str, start: int, end: int, form: Form, holes: Sequence[Hole], language_id: str
    ) -> tuple[EmbeddedText, ...]:
        """Return a string with several texts for its placeholders."""
        names = sorted({*_TAG.findall(text, start, end)})
        of_tags = [f"<{slash}{each}>" for each in names for slash in ("", "/")]
        filled = [
            [(hole, stands.replace("{}", str(number))) for number, hole in enumerate(holes)]
            for stands in (*self._stand_ins, *of_tags)
        ]
        return tuple([EmbeddedString(language_id, form.segments(text, start, end, each), form) for each in filled])

    def _strings(
        self, text: str, language: Language, *, unmarked: bool
    ) -> Iterator[tuple[int, int, int, Form, list[Hole], str]]:
        """Yield the marked and named strings, and with `unmarked` all others."""
        is_python = self._id == "python"
        comments, strings = _nodes(text, language, _QUERY["python" if is_python else "script"])
        wanted: dict[int, str] = {}
        starts = [each.start_byte for each in strings]
        for comment in comments:
            said = _source(text, comment)
            long = self._mark.fullmatch(said)
            mark = long or self._short.fullmatch(said)
            number = bisect_left(starts, comment.end_byte)
            if mark is not None and number < len(strings):
                is_near = strings[number].start_point[0] - comment.end_point[0] <= 1
                if is_near and (long or not text[comment.end_byte : starts[number]].strip()):
                    wanted[number] = mark[1]
        for number, node in enumerate(strings):
            language_id = wanted.get(number) or self._named(text, node)
            found = _literal(text, node, python=is_python) if language_id or unmarked else None
            if found is not None:
                yield node.start_byte, *found, language_id

    def _named(self, text: str, node: Node) -> str:
        """Return the language that settings give to the name of a string."""
        if not self._names:
            return ""
        at = node.parent
        while at is not None and (at.type in _AROUND or at.type == "argument_list"):
            at = at.parent
        field = _NAMED.get(at.type) if at is not None else None
        name = at.child_by_field_name(field) if at is not None and field else None
        if name is None or name.id == node.id:
            return ""
        last = _LAST_NAME.search(_source(text, name))
        return next((each for pattern, each in self._names if last and pattern.fullmatch(last[1])), "")


class EmbeddedString(EmbeddedText):
    """The text of a literal. `form` is its syntax."""

    __slots__ = ("form",)

    def __init__(self, language_id: str, segments: tuple[Segment, ...], form: Form) -> None:
        super().__init__(language_id, segments)
        self.form = form


def _nodes(text: str, language: Language, query: str) -> tuple[list[Node], list[Node]]:
    from tree_sitter import Parser, Query, QueryCursor

    # one byte for each character, so that the parser's places are ours
    data = _NOT_ASCII.sub(lambda found: "x" if f"x{found[0]}".isidentifier() else " ", text).encode("ascii")
    found = QueryCursor(Query(language, query)).captures(Parser(language).parse(data).root_node)
    comments, strings = (
        sorted(found.get(name, ()), key=lambda node: node.start_byte) for name in ("comment", "string")
    )
    return comments, strings


def _source(text: str, node: Node) -> str:
    return text[node.start_byte : node.end_byte]


def _literal(text: str, node: Node, *, python: bool) -> tuple[int, int, Form, list[Hole]] | None:
    """Return the content of a literal, and its form; None for a literal without text."""
    children = node.children
    if len(children) < 2 or node.has_error:
        return None
    first, last = children[0], children[-1]
    opening = _source(text, first)
    if python:
        start = _STRING_START.fullmatch(opening)
        if start is None or set(start[1].lower()) - set("rfu"):
            return None
        prefix = start[1].lower()
        form = Form(start[2], raw="r" in prefix, braces="f" in prefix, python=True)
    else:
        form = Form(opening, raw=_is_raw(text, node))
    holes = [(each.start_byte, each.end_byte) for each in children if each.type in _HOLES]
    return first.end_byte, last.start_byte, form, holes


def _is_raw(text: str, node: Node) -> bool:
    """Return whether the tag of a template makes backslashes text."""
    call = node.parent
    tag = call.child_by_field_name("function") if call is not None and call.type == "call_expression" else None
    return tag is not None and _source(text, tag) == "String.raw"
