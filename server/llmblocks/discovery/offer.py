"""Settings made from declarations."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from llmblocks.core.system import inside
from llmblocks.discovery.find import Declared, FoundTag, new_tags
from llmblocks.gadget.schemas.gadgets import GadgetSchema
from llmblocks.settings.ignoring import Insertion, declaring, listing, source_name
from llmblocks.settings.toml import value
from llmblocks.settings.values import Settings

EVERYWHERE: Final = "**"


class DeclarationOffer(NamedTuple):
    """The settings that a folder could adopt: tags with their files, and the files that declare gadgets.

    The gadgets of a package apply to its files only.

    Attributes:
        conflicts: Sentences about gadgets whose parameters differ between files for the same documents.
    """

    folder: str
    tags: Sequence[tuple[FoundTag, str]]
    sources: Sequence[Declared]
    conflicts: Sequence[str] = ()

    def as_toml(self) -> str:
        """Return the settings as lines for a settings file; empty if nothing is new."""
        lines: list[str] = []
        for tag, path in self.tags:
            lines.append(f"[tags.declared.{tag.name}]  # {self._place(tag, path)}")
            lines += [f"description = {value(tag.description)}"] if tag.description else []
            lines.append("")
        if self.sources:
            lines.append("[gadget.schemas]")
            lines += [f"# {each}" for each in self.conflicts]
            for glob, sources in self._by_glob().items():
                lines += self._comments(sources)
                files = [value(source_name(each.path, self.folder)) for each in sources]
                lines.append(f"{value(glob)} = [{', '.join(files)}]")
        return "".join([f"{line}\n" for line in lines]).rstrip("\n") + ("\n" if lines else "")

    def as_json(self) -> dict[str, Any]:
        """Return the same as plain values."""
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
            **({"conflicts": [*self.conflicts]} if self.conflicts else {}),
        }

    def added(self, text: str, table: tuple[str, ...]) -> str | None:
        """Return a settings file with all of it; None if that would change other settings."""
        places = {tag.name: self._place(tag, path) for tag, path in self.tags}
        tags = {tag.name: tag.description for tag, _ in self.tags}
        made = declaring(text, table, tags, places) if self.tags else None
        if self.tags and made is None:
            return None
        found = _with(text, made)
        # each list is inserted before the earlier ones
        for glob, sources in reversed(self._by_glob().items()):
            above = "".join([f"{line}\n" for line in self._comments(sources)])
            for each in sources:
                name = source_name(each.path, self.folder)
                made = listing(found, table, ("gadget", "schemas"), glob, name, above)
                if made is None:
                    return None
                found = _with(found, made)
        return found

    def _by_glob(self) -> dict[str, list[Declared]]:
        """Return the files that declare gadgets, by the pattern of their documents, those for all documents first."""
        found: dict[str, list[Declared]] = {}
        for each in self.sources:
            found.setdefault(_glob(each, self.folder), []).append(each)
        return dict(sorted(found.items(), key=lambda each: each[0] != EVERYWHERE))

    def _comments(self, sources: Iterable[Declared]) -> list[str]:
        return [f"# {self._name(each.path)}: {_names(each)}" for each in sources]

    def _place(self, tag: FoundTag, path: str) -> str:
        return f"{self._name(path)}:{tag.line + 1}"

    def _name(self, path: str) -> str:
        return os.path.relpath(path, self.folder).replace(os.sep, "/")


def offered(found: Iterable[Declared], settings: Settings, folder: str) -> DeclarationOffer:
    """Return the declarations that settings lack for the files of a folder."""
    every = [*found]
    in_force = {each.name.lower() for each in settings.gadgets}
    sources = [each for each in every if any(gadget.name.lower() not in in_force for gadget in each.gadgets)]
    return DeclarationOffer(folder, new_tags(every, settings.tags), sources, [*_conflicts(sources, folder)])


def _glob(declared: Declared, folder: str) -> str:
    """Return the pattern of the documents whose calls the declarations of a file apply to."""
    return f"{source_name(declared.package, folder)}/**" if inside(declared.package, folder) else EVERYWHERE


def _conflicts(sources: Sequence[Declared], folder: str) -> Iterator[str]:
    """Yield the differences between gadgets declared twice."""
    known: dict[tuple[str, str], GadgetSchema] = {}
    for each in sources:
        for gadget in each.gadgets:
            key = gadget.name.lower(), _glob(each, folder)
            other = known.get(key) or known.get((key[0], EVERYWHERE))
            known[key] = gadget
            if other is not None and other.parameters != gadget.parameters:
                places = [
                    f"{os.path.relpath(one.source.file, folder).replace(os.sep, '/')}:{one.source.line + 1}"
                    for one in (other, gadget)
                    if one.source is not None
                ]
                yield f"{gadget.name} has different parameters in {' and '.join(places)}; the later one is used"


def _with(text: str, made: Insertion | None) -> str:
    return text if made is None else text[: made.offset] + made.text + text[made.offset :]


def _names(declared: Declared) -> str:
    return ", ".join([each.name for each in declared.gadgets])
