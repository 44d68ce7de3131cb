"""Found declarations as settings."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from llmblocks.discovery.find import Declared, new_tags
from llmblocks.discovery.tags import FoundTag
from llmblocks.settings.ignoring import Insertion, declaring, listing, source_name
from llmblocks.settings.values import Settings


class Offer(NamedTuple):
    """What settings in a folder could take over: tags with their files, and the files that declare gadgets."""

    folder: str
    tags: Sequence[tuple[FoundTag, str]]
    sources: Sequence[Declared]

    def as_toml(self) -> str:
        """The settings as lines to add to a settings file; empty where there is nothing new."""
        lines: list[str] = []
        for tag, path in self.tags:
            lines.append(f"[tags.declared.{tag.name}]  # {self._name(path)}:{tag.line + 1}")
            lines += [f"description = {_string(tag.description)}"] if tag.description else []
            lines.append("")
        if self.sources:
            lines.append("[gadget.schemas]")
            lines += [f"# {self._name(each.path)}: {_names(each)}" for each in self.sources]
            files = [_string(source_name(each.path, self.folder)) for each in self.sources]
            lines.append(f'"**" = [{", ".join(files)}]')
        return "".join([f"{line}\n" for line in lines]).rstrip("\n") + ("\n" if lines else "")

    def as_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "tags": [
                {"name": tag.name, "description": tag.description, "file": self._name(path), "line": tag.line + 1}
                for tag, path in self.tags
            ],
            "gadgets": [
                {"name": gadget.name, "file": self._name(each.path), "line": gadget.source.line + 1}
                for each in self.sources
                for gadget in each.gadgets
                if gadget.source is not None
            ],
        }

    def added(self, text: str, table: tuple[str, ...]) -> str | None:
        """A settings file with all of it; None where that would change other settings."""
        made = declaring(text, table, {tag.name: tag.description for tag, _ in self.tags}) if self.tags else None
        if self.tags and made is None:
            return None
        found = _with(text, made)
        for each in self.sources:
            made = listing(found, table, ("gadget", "schemas"), "**", source_name(each.path, self.folder))
            if made is None:
                return None
            found = _with(found, made)
        return found

    def _name(self, path: str) -> str:
        return os.path.relpath(path, self.folder).replace(os.sep, "/")


def offered(found: Iterable[Declared], settings: Settings, folder: str) -> Offer:
    """What is not in force yet for the files of a folder."""
    every = [*found]
    in_force = {each.name.lower() for each in settings.gadgets}
    sources = [each for each in every if any(gadget.name.lower() not in in_force for gadget in each.gadgets)]
    return Offer(folder, new_tags(every, settings.tags), sources)


def _with(text: str, made: Insertion | None) -> str:
    return text if made is None else text[: made.offset] + made.text + text[made.offset :]


def _names(declared: Declared) -> str:
    return ", ".join([each.name for each in declared.gadgets])


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
