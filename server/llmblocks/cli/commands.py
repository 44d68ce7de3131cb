"""All commands but `server`, which starts without any of this."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.metadata import version

_INTERRUPTED = 130


def main(arguments: Sequence[str]) -> int:
    """Run a command; gives the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            # a terminal that cannot show a character gets it spelt out, not a traceback
            reconfigure(errors="backslashreplace")
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        # who read the output has seen enough; Python must not complain when it flushes at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _run(arguments: Sequence[str]) -> int:
    from llmblocks.cli.arguments import over, parser

    top = parser(version("llmblocks"))
    given = top.parse_args(arguments)
    if given.command == "check":
        from llmblocks.cli.check import run as check
        from llmblocks.cli.project import Project

        return check(given.files, given.language, given.format, Project(given.settings, over(given)))
    if given.command == "explain":
        from llmblocks.cli.explain import run as explain

        return explain(given.codes, given.pages)
    if given.command == "demo":
        from llmblocks.cli.demo import run as demo

        return demo(given.examples, given.speed, plain=given.plain)
    top.print_help()
    return 0
