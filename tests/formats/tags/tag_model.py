"""The behaviour of a tag stream, spelt out one character at a time: what the fast implementation is compared with."""

from __future__ import annotations

import string

LETTERS = frozenset(string.ascii_letters + "_")
NAME = LETTERS | frozenset(string.digits + "-")


class TagModel:
    """Deltas as tuples: (text, s), (start, tag), (delta, tag, s), (end, tag), (block, tag, s, self_closing)."""

    def __init__(self, tags: frozenset[str]) -> None:
        self.tags = tags
        self.where = "text"
        self.held = ""  # from the `<` on
        self.tag = ""
        self.listed = ""
        self.content = ""

    def feed(self, text: str) -> list[tuple[object, ...]]:
        out: list[tuple[object, ...]] = []
        for c in text:
            self.step(c, out)
        return out

    def say(self, text: str, out: list[tuple[object, ...]]) -> None:
        kind: tuple[object, ...] = ("text",) if self.where == "text" else ("delta", self.tag)
        if out and out[-1][:-1] == kind:
            out[-1] = (*kind, str(out[-1][-1]) + text)
        else:
            out.append((*kind, text))
        if self.where == "content":
            self.content += text

    def step(self, c: str, out: list[tuple[object, ...]]) -> None:
        if self.where == "attributes":
            if c != ">":
                self.listed += c
            elif self.listed.endswith("/"):
                out.append(("block", self.tag, "", True))
                self.where = "text"
            else:
                self.open(out)
        elif not self.held:
            if c == "<":
                self.held = c
            else:
                self.say(c, out)
        else:
            slash = "/" if self.where == "content" else ""
            name = self.held[1 + len(slash) :]
            allowed = {slash} if self.held == "<" and slash else NAME if name else LETTERS
            if c in allowed:
                self.held += c
            elif self.where == "content" and self.held + c == f"</{self.tag}>":
                self.held = ""
                out.append(("end", self.tag))
                out.append(("block", self.tag, self.content, False))
                self.where = "text"
            elif self.where == "text" and name in self.tags and c in ">/ \t\n\r":
                self.held = ""
                self.tag = name
                if c == ">":
                    self.open(out)
                else:
                    self.where = "attributes"
                    self.listed = c if c == "/" else ""
            else:
                held, self.held = self.held, ""
                self.say(held + c, out)

    def open(self, out: list[tuple[object, ...]]) -> None:
        out.append(("start", self.tag))
        self.where = "content"
        self.content = ""

    def flush(self) -> list[tuple[object, ...]]:
        if self.where == "attributes":
            return [("text", f"<{self.tag} {self.listed}")]
        if self.where == "content":
            return [("block", self.tag, self.content + self.held, False)]
        return [("text", self.held)] if self.held else []
