"""The search for declarations in the files of a project, and the settings made from them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple

from llmblocks.code.grammar import SCRIPTS, script_of
from llmblocks.code.script import MOST_BYTES, Script
from llmblocks.core.system import inside
from llmblocks.gadget.schemas.code import SIGN, gadgets_in_code
from llmblocks.gadget.schemas.gadgets import GadgetSchema
from llmblocks.settings.globs import Ignores
from llmblocks.settings.ignoring import Insertion, declaring, listing, source_name
from llmblocks.settings.values import Settings
from llmblocks.tags.syntax import is_name

if TYPE_CHECKING:
    from tree_sitter import Node


SIGNS: Final = ("customBlock", "StreamTagParser")
"""A file that registers tags contains one of these."""
_BLOCKS: Final = "customBlocks"
_TRANSFORM: Final = "customBlockTransform"
_PARSER: Final = "StreamTagParser"
_MEMBERS: Final = ("pair", "shorthand_property_identifier")
MOST_FILES: Final = 20_000
_SKIPPED: Final = frozenset(("node_modules", "dist", "build", "out", "coverage", "__pycache__"))
_TESTS: Final = frozenset(("test", "tests", "__tests__", "__mocks__", "fixtures", "__fixtures__", "testdata"))
_TEST_FILE: Final = re.compile(r"(^|[._-])(test|tests|spec|fixture|fixtures|mock|mocks)\.[cm]?[jt]sx?$", re.IGNORECASE)
_PACKAGE: Final = "package.json"
_ENDINGS: Final = tuple([ending for endings in SCRIPTS.values() for ending in endings])
_WANTED: Final = tuple([sign.encode() for sign in (*SIGNS, SIGN)])


class FoundTag(NamedTuple):
    name: str
    description: str
    start: int
    """The start of its name in the code."""
    end: int
    line: int
    """Counts from 0."""


class Declared(NamedTuple):
    path: str
    tags: tuple[FoundTag, ...]
    gadgets: tuple[GadgetSchema, ...]
    package: str = ""
    """The folder of its package, if that is below the searched folder."""


def may_declare(text: str) -> bool:
    """Return whether a quick search finds a possible declaration in a text."""
    return any(sign in text for sign in (*SIGNS, SIGN))


def read(text: str, path: str) -> Declared:
    """Return the declarations in the text of a file. `ValueError`: the grammars are not installed."""
    return Declared(path, (*tags_in_code(text, path),), (*gadgets_in_code(text, path),))


# an editor calls this at each move of the caret
declared_in = lru_cache(maxsize=2)(read)
"""See `read`."""


def find(folder: str, pause: Callable[[], None] = lambda: None) -> Iterator[Declared]:
    """Yield the files of TypeScript and JavaScript in a folder that declare something, in the order of their paths.

    Hidden folders, folders of generated code, tests and fixtures are skipped, and so are files larger than 1 MiB and
    files that git ignores. Unreadable files are skipped. `ValueError`: the grammars are not installed.
    """
    package_of = lru_cache(maxsize=None)(partial(_package_of, folder))
    for path in _scripts(folder):
        pause()
        try:
            with open(path, "rb") as file:
                data = file.read(MOST_BYTES + 1)
        except OSError:
            continue
        if len(data) > MOST_BYTES or not any(sign in data for sign in _WANTED):
            continue
        found = read(data.decode("utf-8", "replace").replace("\r\n", "\n"), path)
        if found.tags or found.gadgets:
            yield found._replace(package=package_of(os.path.dirname(path)))


def _package_of(top: str, folder: str) -> str:
    """Return the nearest folder around a file that is a package; empty if none is below `top`."""
    while inside(folder, top) is not None:
        if os.path.isfile(os.path.join(folder, _PACKAGE)):
            return folder
        folder = os.path.dirname(folder)
    return ""


def _scripts(folder: str) -> Iterator[str]:
    count = 0
    git = Ignores(folder)
    for around, folders, names in os.walk(folder):
        folders[:] = sorted(
            each
            for each in folders
            if not (
                each.startswith(".")
                or each in _SKIPPED
                or each.lower() in _TESTS
                or git.ignores(around, each, is_folder=True)
            )
        )
        for name in sorted(names):
            is_script = name.lower().endswith(_ENDINGS) and not name.endswith(".d.ts") and not _TEST_FILE.search(name)
            if is_script and not git.ignores(around, name, is_folder=False):
                count += 1
                if count > MOST_FILES:
                    return
                yield os.path.join(around, name)


def tags_in_code(text: str, file: str) -> Iterator[FoundTag]:
    """Yield the tags that a file registers, each once.

    They are under `customBlocks`, in `customBlockTransform(…)`, or `tags` of a `StreamTagParser`. `ValueError`: the
    grammars are not installed.

    Source: agentick, "Custom Blocks".
    """
    language_id = script_of(file)
    if language_id is None or len(text) > MOST_BYTES or not any(sign in text for sign in SIGNS):
        return
    script = Script(text, language_id)
    seen: set[str] = set()
    for definitions in _definitions(script):
        for each in script.members(definitions):
            tag = script.member(each.value, "tag")
            name = each.name if tag is None else script.string(tag)
            if name is None or name in seen or not is_name(name):
                continue
            seen.add(name)
            words = [script.string(script.member(each.value, key)) for key in ("description", "instructions")]
            yield FoundTag(name, " ".join(filter(None, words)), each.start, each.end, each.line)


def _definitions(script: Script) -> Iterator[Node]:
    """Yield the objects whose members are tags."""
    for kind in _MEMBERS:
        for each in script.nodes(kind):
            key = each.child_by_field_name("key") if kind == "pair" else each
            value = each.child_by_field_name("value") if kind == "pair" else each
            if key is not None and value is not None and script.text(key).strip("\"'") == _BLOCKS:
                yield value
    for call in script.nodes("call_expression"):
        function = call.child_by_field_name("function")
        if function is not None and script.text(function).rpartition(".")[2] == _TRANSFORM:
            yield from script.arguments(call)[:1]
    for call in script.nodes("new_expression"):
        maker = call.child_by_field_name("constructor")
        if maker is not None and script.text(maker).rpartition(".")[2] == _PARSER:
            found = [script.member(each, "tags") for each in script.arguments(call)[:1]]
            yield from filter(None, found)


EVERYWHERE: Final = "**"


class DeclarationOffer(NamedTuple):
    """The settings that a folder could adopt: tags with their files, and the files that declare gadgets.

    The gadgets of a package apply to its files only.
    """

    folder: str
    tags: Sequence[tuple[FoundTag, str]]
    sources: Sequence[Declared]
    conflicts: Sequence[str] = ()
    """Sentences about gadgets whose parameters differ between files for the same documents."""

    def as_toml(self) -> str:
        """Return the settings as lines for a settings file; empty if nothing is new."""
        header = "[gadget.schemas]\n"
        return (self.added("", ()) or "").replace(
            header, header + "".join([f"# {each}\n" for each in self.conflicts]), 1
        )

    def added(self, text: str, table: tuple[str, ...]) -> str | None:
        """Return a settings file with all of it; None if that would change other settings."""
        tags = {tag.name: tag.description for tag, _ in self.tags}
        places = {tag.name: f"{self._name(path)}:{tag.line + 1}" for tag, path in self.tags}
        made = declaring(text, table, tags, places) if self.tags else None
        if self.tags and made is None:
            return None
        found = _with(text, made)
        by_glob: dict[str, list[Declared]] = {}
        for each in self.sources:
            by_glob.setdefault(_glob(each, self.folder), []).append(each)
        ordered = sorted(by_glob.items(), key=lambda each: each[0] != EVERYWHERE)
        # each list is inserted before the earlier ones
        for glob, sources in reversed(ordered):
            named = [(self._name(each.path), ", ".join([it.name for it in each.gadgets])) for each in sources]
            above = "".join([f"# {name}: {gadgets}\n" for name, gadgets in named])
            files = tuple([source_name(each.path, self.folder) for each in sources])
            made = listing(found, table, ("gadget", "schemas"), glob, files, above)
            if made is None:
                return None
            found = _with(found, made)
        return found

    def _name(self, path: str) -> str:
        return os.path.relpath(path, self.folder).replace(os.sep, "/")


def offered(found: Iterable[Declared], settings: Settings, folder: str) -> DeclarationOffer:
    """Return the declarations that settings lack for the files of a folder."""
    every = [*found]
    tags: dict[str, tuple[FoundTag, str]] = {}
    for each in every:
        for tag in each.tags:
            if tag.name not in settings.tags:
                tags.setdefault(tag.name, (tag, each.path))
    in_force = {each.name.lower() for each in settings.gadgets}
    sources = [each for each in every if any(gadget.name.lower() not in in_force for gadget in each.gadgets)]
    return DeclarationOffer(folder, [*tags.values()], sources, [*_conflicts(sources, folder)])


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
