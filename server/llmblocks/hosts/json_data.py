"""JSON and JSON Lines: the strings at some paths of each row are embedded texts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from json import JSONDecodeError, JSONDecoder
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

from llmblocks.core.edits import Edit
from llmblocks.facts.problem import Problem
from llmblocks.hosts.embedded import EmbeddedText, EmbeddedTexts, Host
from llmblocks.hosts.literals import Form
from llmblocks.json5.finite import refuse
from llmblocks.json5.path import Shape
from llmblocks.settings.rules import D001_NOT_JSON, D002_NO_TEXT, D003_UNKNOWN_ROLE
from llmblocks.settings.values import Settings
from llmblocks.stf.convert.openai import ROLES as OPENAI

_BOM = "\ufeff"
_LANGUAGE = "gadget"
_STRING = Form('"')
"""A string of JSON is one of JavaScript."""
_BLANKS = re.compile(r"[ \t\r\n]*")
_HALF = re.compile("[\ud800-\udfff]")
"""A half of a character, which cannot be encoded."""
_TYPES: Final = {bool: "true or false", dict: "an object", list: "a list", str: "text"}
_MOST_SHOWN = 60


class Dataset(NamedTuple):
    """A form of a data set."""

    messages: str
    """The name of the list of messages."""
    key: str
    """The key of a message's role."""
    roles: tuple[str, ...]
    """The known roles."""
    speakers: tuple[str, ...]
    contents: tuple[str, ...]

    @property
    def reader(self) -> RowReader:
        inside = [f"[{self.key}={speaker}].{content}" for speaker in self.speakers for content in self.contents]
        shape = Shape([(f"{self.messages}{each}", _LANGUAGE) for each in inside])
        return RowReader(shape, self.messages, self)

    def has_role(self, message: Any) -> bool:
        role = message.get(self.key) if isinstance(message, dict) else None
        return isinstance(role, str) and role in self.roles

    def fits(self, row: Any) -> bool:
        messages = row.get(self.messages) if isinstance(row, dict) else None
        return isinstance(messages, list) and messages != [] and all(map(self.has_role, messages))


_CONTENTS = ("content", "content[type=text].text")
DATASETS = {
    "openai": Dataset("messages", "role", OPENAI, ("assistant",), _CONTENTS),
    "anthropic": Dataset("messages", "role", ("user", "assistant"), ("assistant",), _CONTENTS),
    "sharegpt": Dataset(
        "conversations",
        "from",
        (
            *("system", "human", "user", "gpt", "chatgpt", "assistant", "model"),
            *("tool", "function_call", "function_response", "observation"),
        ),
        ("gpt", "chatgpt", "assistant", "model"),
        ("value",),
    ),
}


class RowReader(NamedTuple):
    """Reads rows."""

    shape: Shape
    """The paths to the texts."""
    paths: str
    """The same, for messages."""
    dataset: Dataset | None = None
    """The form of the rows, if known."""


def parsed(text: str, start: int) -> tuple[Any, int]:
    """Return the JSON value at a place, and its end; raise `ValueError` if it is not JSON."""
    try:
        value, end = _scan(text, start)
    except StopIteration as error:
        raise JSONDecodeError("expecting a value", text, error.value) from None
    except RecursionError:
        raise JSONDecodeError("nested too deep", text, start) from None
    return value, end


def after_blanks(text: str, at: int) -> int:
    """Return the next place without white space."""
    found = _BLANKS.match(text, at)
    return at if found is None else found.end()


class _Row:
    """The texts and problems of the row that begins at a place. Text that is not JSON is a problem."""

    def __init__(self, text: str, start: int, reader: RowReader) -> None:
        self._text = text
        self._dataset = reader.dataset
        self.texts: list[EmbeddedText] = []
        self.problems: list[Problem] = []
        self._is_there = False
        try:
            value, self.end = parsed(text, start)
            self._walk(value, start, self.end, reader.shape, "")
        except ValueError as error:
            self.texts, self.end = [], len(text)
            self.problems = [_not_json(*_mistake(error, text, start), text)]
            return
        if not (self.texts or self.problems or self._is_there):
            self.problems.append(Problem(D002_NO_TEXT, start, min(start + 1, self.end), {"paths": reader.paths}))
        self.problems.sort(key=lambda each: each.start)

    def _walk(self, value: Any, at: int, end: int, shape: Shape, path: str) -> None:
        """Read a value from one place to another."""
        if isinstance(value, str) and shape.language_id is not None:
            segments = partial(_STRING.segments, self._text, at + 1, end - 1, ())
            whole = value if value.isascii() else _HALF.sub("\ufffd", value)
            self.texts.append(EmbeddedText(shape.language_id, segments, text=whole))
        elif isinstance(value, dict) and shape.members:
            for key, inside, start, stop in _members(self._text, at):
                if (member := shape.members.get(key)) is not None:
                    self._walk(inside, start, stop, member, f"{path}.{key}" if path else key)
        elif isinstance(value, list) and shape.items:
            self._is_there = True
            self._list(at, shape, path)
        elif value is None:
            # null means absent
            self._is_there = True
        elif path:
            known = {"text": shape.language_id, "a list": shape.items, "an object": shape.members}
            need = " or ".join([words for words, is_taken in known.items() if is_taken])
            data = {"case": "type", "path": path, "is": _TYPES.get(type(value), "a number"), "need": need}
            self.problems.append(Problem(D002_NO_TEXT, at, end, data))

    def _list(self, at: int, shape: Shape, path: str) -> None:
        for number, (item, start, end) in enumerate(_items(self._text, at)):
            if self._dataset is not None and path == self._dataset.messages and not self._dataset.has_role(item):
                self.problems.append(self._unknown_role(item, start, self._dataset, f"{path}[{number}]"))
            for items, inner in shape.items.items():
                if items.takes(item):
                    self._walk(item, start, end, inner, f"{path}[{number}]")
                    break

    def _unknown_role(self, item: Any, at: int, dataset: Dataset, path: str) -> Problem:
        role = item.get(dataset.key) if isinstance(item, dict) else None
        if not isinstance(role, str):
            return Problem(D003_UNKNOWN_ROLE, at, at + 1, {"case": "none", "path": path, "key": dataset.key})
        # if a key is repeated, the last one counts
        *_, place = [(start, end) for key, _, start, end in _members(self._text, at) if key == dataset.key]
        return Problem(D003_UNKNOWN_ROLE, *place, {"role": role[:_MOST_SHOWN], "roles": ", ".join(dataset.roles)})


def _members(text: str, at: int) -> Iterator[tuple[str, Any, int, int]]:
    """Yield the keys and values of the object at a place, with the places of the values."""
    at = after_blanks(text, at + 1)
    while text[at] != "}":
        key, at = scanstring(text, at + 1, True)
        start = after_blanks(text, after_blanks(text, at) + 1)
        value, end = parsed(text, start)
        yield key, value, start, end
        at = _behind_item(text, end)


def _items(text: str, at: int) -> Iterator[tuple[Any, int, int]]:
    """Yield the items of the list at a place, with their places."""
    at = after_blanks(text, at + 1)
    while text[at] != "]":
        value, end = parsed(text, at)
        yield value, at, end
        at = _behind_item(text, end)


def _behind_item(text: str, at: int) -> int:
    at = after_blanks(text, at)
    return after_blanks(text, at + 1) if text[at] == "," else at


def _mistake(error: ValueError, text: str, start: int) -> tuple[int, str]:
    if not isinstance(error, JSONDecodeError):
        return start, str(error)
    return min(error.pos, len(text)), error.msg[:1].lower() + error.msg[1:]


def _not_json(at: int, reason: str, text: str) -> Problem:
    return Problem(D001_NOT_JSON, at, min(at + 1, len(text)), {"reason": reason})


@dataclass(eq=False)
class JsonData(Host):
    """Finds the strings that settings name, or those of a known form of data sets."""

    reader: RowReader | None
    """None if nothing names a string."""
    by_line: bool = field(kw_only=True)
    """A row is a line; otherwise the document is one row, or a list of rows."""

    @classmethod
    def of(cls, settings: Settings, *, by_line: bool) -> JsonData:
        """Return the host for files with some settings."""
        given = [each for by_glob in settings.strings for each in by_glob.values]
        for name in given:
            if name in DATASETS:
                return cls(DATASETS[name].reader, by_line=by_line)
        languages = [(path, language) for language, _, path in (each.partition(":") for each in given)]
        paths = ", ".join(path for path, _ in languages)
        return cls(RowReader(Shape(languages), paths) if languages else None, by_line=by_line)

    def settled(self, text: str) -> JsonData | None:
        # if no setting names a string in lines, the first row shows their form
        if self.reader is not None:
            return self
        if not self.by_line:
            return None
        start = after_blanks(text, text.startswith(_BOM))
        end = text.find("\n", start)
        row = text[start : end if end >= 0 else len(text)]
        with suppress(ValueError):
            value, _ = parsed(row, 0)
            if (dataset := next(filter(lambda each: each.fits(value), DATASETS.values()), None)) is not None:
                return JsonData(dataset.reader, by_line=True)
        return None

    def may_embed(self, text: str) -> bool:
        return self.settled(text) is not None

    def read(self, text: str) -> EmbeddedTexts:
        settled = self.settled(text)
        if settled is None or settled.reader is None:
            return EmbeddedTexts(())
        texts: list[EmbeddedText] = []
        problems: list[Problem] = []
        start = 0
        for part in text.split("\n") if self.by_line else [text]:
            for found, wrong in self._rows(part, settled.reader):
                texts += [each.moved(start) for each in found]
                problems += [each.moved(start) for each in wrong]
            start += len(part) + 1
        return EmbeddedTexts(texts, problems)

    def outside(self, text: str, embedded: EmbeddedText, edit: Edit) -> Edit:
        start, end = embedded.outside(edit.start), embedded.outside(edit.end)
        # an ASCII file stays ASCII
        return Edit(start, end, json.dumps(edit.text, ensure_ascii=text.isascii())[1:-1])

    def _rows(self, text: str, reader: RowReader) -> Iterator[tuple[Sequence[EmbeddedText], Sequence[Problem]]]:
        """Yield the texts and problems of each row of a line or of the document."""
        at = after_blanks(text, text.startswith(_BOM))
        if at == len(text):
            return
        if self.by_line or text[at] != "[":
            row = _Row(text, at, reader)
            more = _more(text, row.end)
            yield ([], more) if more else (row.texts, row.problems)
            return
        try:
            items, end = parsed(text, at)
        except ValueError as error:
            yield [], [_not_json(*_mistake(error, text, at), text)]
            return
        at = after_blanks(text, at + 1)
        for _ in items:
            row = _Row(text, at, reader)
            yield row.texts, row.problems
            at = after_blanks(text, after_blanks(text, row.end) + 1)
        yield [], _more(text, end)


def _more(text: str, end: int) -> list[Problem]:
    """Return the problem of text after a value, if any."""
    at = after_blanks(text, end)
    return [] if at == len(text) else [_not_json(at, "extra data after the value", text)]


# numbers are not converted: Python rejects the longest
_decoder: Any = JSONDecoder(parse_constant=refuse, parse_float=len, parse_int=len)
_scan: Callable[[str, int], tuple[Any, int]] = _decoder.scan_once
