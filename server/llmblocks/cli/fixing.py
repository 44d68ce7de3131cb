"""`llmblocks check --fix` and `--diff`: fixed texts, and the differences."""

from __future__ import annotations

import sys
from typing import NamedTuple

from llmblocks.cli.colours import console, is_coloured
from llmblocks.cli.output import write_output
from llmblocks.cli.replacement import Rewrite
from llmblocks.cli.source import SourceFile
from llmblocks.rules.project import Project
from llmblocks.settings.values import Settings

# of ANSI, by the beginning of a line: bold for the name of the file, then red, green and cyan
_COLOURS = {"--- ": 1, "+++ ": 1, "-": 31, "+": 32, "@": 36}


class FixedText(NamedTuple):
    """A text after fixes."""

    text: str
    fixed: int
    """The findings."""
    output: str = ""
    """For standard output."""
    rewrite: Rewrite | None = None
    """The new content of the file."""


class Fixing(NamedTuple):
    """The treatment of fixable findings."""

    writes: bool = False
    """Whether files get the fixed texts, and standard output that of standard input."""
    unsafe: bool = False
    diffs: bool = False
    """Whether to show the changes instead."""

    def text_of(self, source: SourceFile, text: str, settings: Settings, project: Project) -> FixedText:
        """Return the text of a file of a project after its fixes."""
        from llmblocks.rules.check import Belonging
        from llmblocks.rules.fixing import fix_of

        if source.stays:
            return FixedText(text, 0)
        fixed = fix_of(text, Belonging(source.language_id, settings, project, source.name), unsafe=self.unsafe)
        count = len(fixed.applied)
        if self.diffs:
            return FixedText(fixed.text, count, diff(source.name, text, fixed.text))
        if source.is_stdin:
            return FixedText(fixed.text, count, fixed.text)
        return FixedText(fixed.text, count, rewrite=Rewrite.of(text, fixed.text) if count else None)


def print_diff(text: str) -> None:
    """Write a diff to standard output, in colour on a terminal."""
    if is_coloured(sys.stdout) and console(sys.stdout).color_system is not None:
        text = "\n".join(map(_coloured, text.split("\n")))
    write_output(text)


def _coloured(line: str) -> str:
    colour = _COLOURS.get(line[:4]) or _COLOURS.get(line[:1])
    return f"\x1b[{colour}m{line}\x1b[0m" if colour else line


def diff(name: str, old: str, new: str) -> str:
    """Return the unified diff of a file."""
    from difflib import unified_diff

    found = unified_diff(_lines(old), _lines(new), name, name)
    return "".join([line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in found])


def _lines(text: str) -> list[str]:
    # `splitlines` also splits at characters that are text in a patch
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]
