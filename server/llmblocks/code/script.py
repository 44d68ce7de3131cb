"""The values of literals in TypeScript and JavaScript. Nothing is executed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from llmblocks.code.grammar import grammar
from llmblocks.json5.reader import read_value

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_BYTES: Final = 1 << 20
"""A larger file is generated, and does not declare tools."""
_AROUND: Final = frozenset(("as_expression", "satisfies_expression", "parenthesized_expression", "non_null_expression"))
_QUOTED: Final = "string"
_TEMPLATE: Final = "template_string"
_DEEPEST: Final = 50


class Member(NamedTuple):
    """A member of an object literal, with the place of its name in code points."""

    name: str
    value: Node
    start: int
    end: int
    line: int
    """Counts from 0."""


class Script:
    """A file of TypeScript or JavaScript. Without the grammar, it raises `ValueError`."""

    def __init__(self, text: str, language_id: str) -> None:
        language = grammar(language_id)
        if language is None:
            raise ValueError("the grammars of TypeScript and JavaScript are not installed: llmblocks[code] has them")
        from tree_sitter import Parser

        self._language = language
        self._data = text.encode("utf-8", "replace")
        self._root = Parser(language).parse(self._data).root_node

    def nodes(self, kind: str) -> Iterator[Node]:
        """Return all nodes of a kind, in order."""
        from tree_sitter import Query, QueryCursor

        found = QueryCursor(Query(self._language, f"({kind}) @node")).captures(self._root)
        return iter(sorted(found.get("node", ()), key=lambda node: node.start_byte))

    def text(self, node: Node) -> str:
        return self._data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def place(self, node: Node) -> tuple[int, int]:
        """Return the code points at the start and the end of a node."""
        start = len(self._data[: node.start_byte].decode("utf-8", "replace"))
        return start, start + len(self.text(node))

    def meant(self, node: Node | None) -> Node | None:
        """Return a value without type assertions; for a name, the value that the file assigns to it."""
        for _ in range(_DEEPEST):
            if node is None:
                return None
            if node.type in _AROUND:
                node = node.named_children[0] if node.named_children else None
            elif node.type in ("identifier", "shorthand_property_identifier"):
                node = self._names.get(self.text(node))
            else:
                return node
        return None

    @cached_property
    def _names(self) -> dict[str, Node]:
        declared: dict[str, Node] = {}
        for each in self.nodes("variable_declarator"):
            name, value = each.child_by_field_name("name"), each.child_by_field_name("value")
            if name is not None and value is not None:
                declared.setdefault(self.text(name), value)
        return declared

    def members(self, node: Node | None, depth: int = 0) -> Iterator[Member]:
        """Yield the members of an object literal with values, including those that it spreads."""
        found = self.meant(node)
        if found is None or found.type != "object" or depth > _DEEPEST:
            return
        for each in found.named_children:
            if each.type == "spread_element":
                yield from self.members(each.named_children[0] if each.named_children else None, depth + 1)
            key = each if each.type == "shorthand_property_identifier" else each.child_by_field_name("key")
            value = each if each.type == "shorthand_property_identifier" else each.child_by_field_name("value")
            if key is None or value is None:
                continue
            name = self.string(key) if key.type == _QUOTED else self.text(key)
            if name is not None and key.type != "computed_property_name":
                yield Member(name, value, *self.place(key), key.start_point[0])

    def member(self, node: Node | None, name: str) -> Node | None:
        """Return the value of a member of an object literal; if several have one name, the last."""
        return next((each.value for each in reversed([*self.members(node)]) if each.name == name), None)

    def string(self, node: Node | None) -> str | None:
        """Return the text of a string literal, or of a template without placeholders; None for another value."""
        found = self.meant(node)
        if found is None or found.type not in (_QUOTED, _TEMPLATE):
            return None
        text = self.text(found)
        if found.type == _TEMPLATE:
            if any(each.type == "template_substitution" for each in found.named_children):
                return None
            inner = text[1:-1].replace("\\`", "`").replace("\\$", "$").replace("\r\n", "\n")
            # the escapes of a template are those of a string
            text = '"' + inner.replace('"', '\\"').replace("\n", "\\n") + '"' if '\\"' not in inner else ""
        value = read_value(text).value
        return value if isinstance(value, str) else None

    def plain(self, node: Node | None) -> Any:
        """Return a literal as JSON. `ValueError`: the value is only known at run time."""
        found = self.meant(node)
        if found is None:
            raise ValueError("not a literal")
        if found.type in (_QUOTED, _TEMPLATE):
            value: Any = self.string(found)
            if value is not None:
                return value
        elif found.type == "array":
            return [self.plain(each) for each in found.named_children]
        elif found.type == "object":
            return {each.name: self.plain(each.value) for each in self.members(found)}
        elif found.type in ("number", "unary_expression", "true", "false", "null"):
            read = read_value(self.text(found).replace("_", ""))
            if read.error is None:
                return read.value
        raise ValueError("not a literal")

    def arguments(self, call: Node) -> list[Node]:
        found = call.child_by_field_name("arguments")
        return [each for each in found.named_children if each.type != "comment"] if found is not None else []
