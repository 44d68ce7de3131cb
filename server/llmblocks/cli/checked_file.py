"""The outcome of a check, as a value: it passes between processes and through the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from llmblocks.cli.fixing import Fixing

if TYPE_CHECKING:
    from llmblocks.cli.replacement import Rewrite
    from llmblocks.cli.report.reported import Reported
    from llmblocks.facts.severity import Severity


class CheckOptions(NamedTuple):
    """The options of a check, for every file. Shape: `detailed` findings have excerpts, and the fixes that an
    editor offers.
    """

    fixing: Fixing = Fixing()
    detailed: bool = False
    digests: bool = False


class CheckedFile(NamedTuple):
    """The outcome for one file.

    Shape: `found` are the findings that are shown, `counts` counts all of them. `error` says why the file could not be
           checked. `output` is for standard output: a diff, or the fixed text of standard input; `rewrite` is for the
           file. `digest` is that of the content, if the options say so. `looked` are the paths of other files that
           decide the outcome, and whether there was one. `texts` is the number of texts that were read: a file of our
           languages is one.
    """

    found: tuple[Reported, ...] = ()
    counts: tuple[tuple[str, Severity, int], ...] = ()
    error: str = ""
    fixed: int = 0
    output: str = ""
    rewrite: Rewrite | None = None
    digest: bytes = b""
    looked: tuple[tuple[str, bool], ...] = ()
    texts: int = 1
