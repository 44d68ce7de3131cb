"""A simulated editor at the real server: it types key by key, and does with the answers what editors do.

It inserts what a key writes, asks for edits after a trigger character, opens, filters and refreshes the list of
completions, and accepts one by Tab or, as VS Code does by default, by Enter. It has one caret and UTF-32 columns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from editors.hands import Deed, Paste, Pick, Press, Step, apart
from wire import Wire, did_change, did_open, replacement

Json = Any
_PLACE = re.compile(r"\\([\\$}])|\$(\d+)|\$\{(\d+)(?::((?:[^\\}]|\\.)*)|\|((?:[^\\|]|\\.)*)\|)?\}")
_LAST = 1000
"""The number of the place where a snippet ends."""
_LANGUAGES = {"gadget": "gadget", "stf": "stf", "blocks": "custom-blocks"}


@dataclass(frozen=True, slots=True)
class Kind:
    """The behaviour of an editor.

    With `enter`, Enter accepts the first item of an open list. `guesses` opens it at each letter, and keeps items that
    have the typed letters in order. `snippets` says that it fills in places and runs the command of an item, `keeps`
    that its caret stays before what is inserted.
    """

    name: str
    enter: bool = False
    guesses: bool = False
    snippets: bool = False
    keeps: bool = True

    def __str__(self) -> str:
        return self.name


class Blank(NamedTuple):
    """A place of a snippet that is to be filled in."""

    start: int
    end: int
    choices: tuple[str, ...] = ()
    """The texts that are offered there."""


@dataclass
class Editor:
    """An open file."""

    wire: Wire
    kind: Kind
    uri: str
    text: str = ""
    caret: int = 0
    items: list[Json] = field(default_factory=list)
    """The items of the open list; `spaces` are the stops of Tab, `selected` the one that the next key replaces.
    """
    placeholders: list[Blank] = field(default_factory=list)
    selected: Blank | None = None
    keys: int = 0
    """The pressed keys."""
    _triggers: tuple[str, ...] = ()
    _formats: tuple[str, ...] = ()
    _version: int = 0
    _requests: int = 0
    _is_incomplete: bool = False

    @classmethod
    def started(cls, wire: Wire, kind: Kind, folder: Path | None = None) -> Editor:
        """Return an editor whose server has been started."""
        item: Json = {"snippetSupport": kind.snippets, "insertReplaceSupport": False}
        told = wire.initialize(
            capabilities={
                "general": {"positionEncodings": ["utf-32"]},
                "textDocument": {"completion": {"completionItem": item}},
            },
            workspaceFolders=[{"uri": folder.as_uri(), "name": "w"}] if folder else None,
            initializationOptions={
                "keepsCaret": kind.keeps,
                "commands": ["editor.action.triggerSuggest"] if kind.snippets else [],
            },
        )
        provider = told["documentOnTypeFormattingProvider"]
        return cls(
            wire,
            kind,
            "",
            _triggers=tuple(told["completionProvider"]["triggerCharacters"]),
            _formats=(provider["firstTriggerCharacter"], *provider["moreTriggerCharacter"]),
        )

    def open(self, uri: str, start: str) -> None:
        self.uri, self._version = uri, 0
        self.text, self.caret = apart(start)
        self.items, self.placeholders, self.selected, self.keys = [], [], None, 0
        self.wire.send(did_open(uri, self.text, _LANGUAGES[uri.rpartition(".")[2]]))

    def do(self, deed: Deed) -> str:
        """Return the text after a deed, with its caret."""
        self.open(f"file:///hands/{deed.file}", deed.start)
        for step in deed.steps:
            self.step(step)
        return self.seen

    @property
    def seen(self) -> str:
        return f"{self.text[: self.caret]}$0{self.text[self.caret :]}"

    def step(self, step: Step) -> None:
        match step:
            case str():
                for key in step:
                    self.key(key)
            case Press(key, times):
                for _ in range(times):
                    self.press(key)
            case Paste(text):
                self.keys += 1
                self._replace(self.caret, self.caret, text.replace("\n", self._newline))
                self.items = []
            case Pick(label):
                labels = [each["label"] for each in self.items]
                number = next((n for n, each in enumerate(labels) if each.startswith(label)), None)
                assert number is not None, f"{label} is not in {labels} at\n{self.seen}"
                self.keys += number + 1
                self._accept(self.items[number])

    def key(self, key: str) -> None:
        """One key that writes something."""
        self.keys += 1
        if key == "\n" and self.items and self.kind.enter:
            self._accept(self.items[0])
            return
        if self.selected is not None:
            self._replace(self.selected.start, self.selected.end, "")
            self.selected = None
        before = self.caret
        self._replace(self.caret, self.caret, self._newline if key == "\n" else key)
        if key in self._formats:
            self._format(key)
        if key in self._triggers:
            self._complete({"triggerKind": 2, "triggerCharacter": key})
        elif self.items and self._is_incomplete:
            self._complete({"triggerKind": 3})
        elif self.items:
            self.items = [] if key == "\n" else self._matching(self.items)
        elif self.kind.guesses and key.isalnum() and not self.text[max(before - 1, 0) : before].isalnum():
            self._complete({"triggerKind": 1})

    def press(self, key: str) -> None:
        """One key that writes nothing."""
        self.keys += 1
        match key:
            case "Tab" if self.items:
                self._accept(self.items[0])
                return
            case "Tab" if self.placeholders:
                self._go_on()
                return
            case "Backspace":
                start = self.caret - (2 if self.text[: self.caret].endswith("\r\n") else 1)
                self._replace(start, self.caret, "")
            case "Left" | "Right" if self.selected is not None and self.selected.start < self.selected.end:
                self.caret = self.selected.start if key == "Left" else self.selected.end
            case "Left":
                self.caret -= 1
            case "Right":
                self.caret += 1
            case "Down":
                end = self.text.find("\n", self.caret)
                self.caret = len(self.text) if end < 0 else end + 1
            case "Up":
                self.caret = self.text.rfind("\n", 0, max(self.text.rfind("\n", 0, self.caret), 0)) + 1
            case "End":
                end = self.text.find("\n", self.caret)
                self.caret = len(self.text) if end < 0 else end
            case "Escape":
                pass
            case "Suggest":
                self._complete({"triggerKind": 1})
                return
            case _:
                raise ValueError(f"no key {key!r}")
        self.items, self.selected = [], None

    @property
    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    def _ask(self, method: str, **params: Json) -> Json:
        self._requests += 1
        about = {"textDocument": {"uri": self.uri}, "position": self._place(self.caret)}
        return self.wire.result(self._requests, f"textDocument/{method}", about | params)

    def _place(self, offset: int) -> Json:
        before = self.text[:offset]
        return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}

    def _offset(self, place: Json) -> int:
        start = 0
        for _ in range(place["line"]):
            start = self.text.index("\n", start) + 1
        return start + int(place["character"])

    def _replace(self, start: int, end: int, text: str, *, keeps: bool = False) -> None:
        first, last = ((each["line"], each["character"]) for each in (self._place(start), self._place(end)))
        self._version += 1
        self.wire.send(did_change(self.uri, self._version, replacement(first, last, text)))
        self.text = self.text[:start] + text + self.text[end:]
        moved = len(text) - (end - start)
        if end < self.caret or (end == self.caret and not (keeps and start == end)):
            self.caret += moved
        self.placeholders = [
            Blank(at + moved, to + moved, choices) if at >= end else Blank(at, to, choices)
            for at, to, choices in self.placeholders
        ]

    def _edit(self, edits: list[Json]) -> None:
        """Edits of the server, the last one first."""
        for each in sorted(edits, key=lambda each: -self._offset(each["range"]["start"])):
            start, end = (self._offset(each["range"][side]) for side in ("start", "end"))
            self._replace(start, end, each["newText"], keeps=self.kind.keeps)

    def _format(self, key: str) -> None:
        self._edit(self._ask("onTypeFormatting", ch=key, options={"tabSize": 2, "insertSpaces": True}) or [])

    def _complete(self, context: Json) -> None:
        answer = self._ask("completion", context=context)
        self._is_incomplete = answer["isIncomplete"]
        self.items = self._matching(answer["items"])

    def _matching(self, items: list[Json]) -> list[Json]:
        found = []
        for each in items:
            start = self._offset(each["textEdit"]["range"]["start"])
            typed, text = self.text[start : self.caret].lower(), each["filterText"].lower()
            letters = iter(text)
            if text.startswith(typed) or (self.kind.guesses and all(letter in letters for letter in typed)):
                found.append(each)
        return sorted(found, key=lambda each: str(each["sortText"]))

    def _accept(self, item: Json) -> None:
        span, new = item["textEdit"]["range"], item["textEdit"]["newText"]
        start = self._offset(span["start"])
        # what was typed since the list came belongs to it
        end = max(self._offset(span["end"]), self.caret)
        self._edit(item.get("additionalTextEdits", []))
        if item.get("insertTextFormat") == 2:
            self._fill(start, end, new)
        else:
            self._replace(start, end, new.replace("\n", self._newline))
            self.caret = start + len(new.replace("\n", self._newline))
            self.items, self.selected = [], None
        if "command" in item:
            self._complete({"triggerKind": 1})

    def _fill(self, start: int, end: int, snippet: str) -> None:
        """Insert a snippet, and go to its first place."""
        placeholders: list[tuple[int, Blank]] = []
        made, last = "", 0
        for found in _PLACE.finditer(snippet):
            made += snippet[last : found.start()]
            last, at = found.end(), start + len(made)
            if found[1]:
                made += found[1]
                continue
            choices = tuple((found[5] or "").split(",")) if found[5] else ()
            value = choices[0] if choices else re.sub(r"\\(.)", r"\1", found[4] or "")
            made += value
            placeholders.append((int(found[2] or found[3]) or _LAST, Blank(at, at + len(value), choices)))
        made += snippet[last:]
        if all(number != _LAST for number, _ in placeholders):
            placeholders.append((_LAST, Blank(start + len(made), start + len(made))))
        self._replace(start, end, made)
        # a snippet inside another one is filled in first
        self.placeholders = [*(blank for _, blank in sorted(placeholders)), *self.placeholders]
        self._go_on()

    def _go_on(self) -> None:
        """Select the next place: the next key that writes replaces it."""
        self.selected = self.placeholders.pop(0)
        self.caret = self.selected.end
        span = {"start": self._place(self.selected.start), "end": self._place(self.selected.end)}
        self.items = [
            {"label": each, "filterText": "", "sortText": "", "textEdit": {"range": span, "newText": each}}
            for each in self.selected.choices
        ]
