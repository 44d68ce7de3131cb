"""The shared data of all editors, from the tables of the server: languages, file names, comments, commands."""

from __future__ import annotations

import re
from typing import NamedTuple

from llmblocks.languages.registry import HOSTS, LANGUAGES
from llmblocks.stf.syntax import AT_COMMANDS, SEMICOLON_COMMANDS, Command

TITLES = {
    "gadget": "Gadget Calls",
    "request": "Requests of an Agent",
    "stf": "Simple Text Format",
    "custom-blocks": "Custom Blocks",
    "completion": "Raw Completions",
}
"""The names that users choose from."""
IDS = tuple(language.id for language in LANGUAGES)
PARSED = tuple(language.id for language in LANGUAGES if language.fixed)
"""The languages with a tree-sitter grammar."""
EMBEDDED = tuple(language.id for language in LANGUAGES if not language.repeats)
"""The languages in other documents: a fence named `request` is one of HTTP."""
CODE = tuple(host.id for host in HOSTS if host.code)
"""The languages of code, whose strings may hold texts of ours."""


class Dialect(NamedTuple):
    """The commands of one dialect. `messages` begin a message; a line or a block of data follows the others."""

    key: str
    header: str
    messages: tuple[str, ...]
    blocks: tuple[str, ...]
    lines: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def flush(self) -> tuple[str, ...]:
        """The commands that end a message."""
        return tuple(name for name in self.others if name != "end")

    @property
    def commands(self) -> tuple[str, ...]:
        """All commands."""
        return self.messages + self.blocks + self.lines + self.others


def _dialect(key: str, header: str, commands: dict[str, Command]) -> Dialect:
    def of(*modes: str) -> tuple[str, ...]:
        return tuple(name for name, command in commands.items() if command.mode in modes)

    return Dialect(key, header, of("message"), of("block"), of("line"), of("end", "flush"))


DIALECTS = (_dialect("at", "@", dict(AT_COMMANDS)), _dialect("semicolon", ";", dict(SEMICOLON_COMMANDS)))
COMMENT_SIGNS = ("#", "//")


class Path(NamedTuple):
    """A glob pattern of the server."""

    folder: str
    """Below any other or empty, `name` is empty for digits."""
    digits: bool
    end: str


def path_of(glob: str) -> Path:
    """Return the parts of a pattern of the server's table. Raises `ValueError` for a pattern of another shape."""
    found = re.fullmatch(r"\*\*/(?:(?P<folder>[^*]+)/\*\*/)?(?P<name>\*|\+\(\[0-9\]\))(?P<end>\.\w+)", glob)
    if not found:
        raise ValueError(f"{glob}: teach tools/generate/editors/shared.py to read such a pattern")
    return Path(found["folder"] or "", found["name"] != "*", found["end"])


PATHS = tuple((language.id, path_of(glob)) for language in LANGUAGES for glob in language.paths)
SUFFIXES = tuple((language.id, suffix) for language in LANGUAGES for suffix in language.suffixes)


def simple_glob(path: Path) -> str:
    """Return a pattern for editors without a sign for "digits": llmist itself writes four."""
    name = "[0-9]" * 4 if path.digits else "*"
    return f"{path.folder}/**/{name}{path.end}" if path.folder else f"{name}{path.end}"


def wildcards(language: str) -> list[str]:
    """Return the names of a language's files, for editors that know `*` and `?` and look at no folder."""
    names = [f"*{suffix}" for each, suffix in SUFFIXES if each == language]
    return names + [f"????{path.end}" for each, path in PATHS if each == language and path.digits]
