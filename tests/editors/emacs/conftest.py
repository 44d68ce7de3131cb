"""A real Emacs that is set up as docs/editors/emacs.md says, with the real server."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from editors.homes import environment_of, programs_of
from editors.programs import Program, output
from folders import written

PROBE = Path(__file__).with_name("probe.el")


class Emacs(NamedTuple):
    """An Emacs that keeps everything in its home."""

    program: Program
    home: Path

    def environment(self, *, server: bool = True, **more: str) -> dict[str, str]:
        """Return its environment."""
        return environment_of(self.home, server=server, LC_ALL="C.UTF-8", **self.program.environment, **more)

    def configured(self, file: str = "init.el") -> Path:
        """Return a file in its home with the configuration of the page."""
        return written(self.home / file, programs_of("docs/editors/emacs.md", "elisp")[0])

    def batch(self, *options: str | Path, **environment: str) -> str:
        """Return the output of a new one without anybody at the keys, and without its configuration."""
        # the complaints of Emacs, too
        command = ["sh", "-c", 'exec "$@" 2>&1', "sh", *self.program.command, "-Q", "--batch", *options]
        return output(*command, env=environment or self.environment())

    def values(self, *asked: tuple[Path, str], more: Sequence[str] = (), server: bool = True) -> list[str]:
        """Return the values of expressions, each in the buffer of its file; `more` comes before the configuration."""
        given = json.dumps([(str(file), expression) for file, expression in asked])
        environment = self.environment(server=server, LLMBLOCKS_PROBE_EVAL=given)
        said = self.batch(*more, "-l", self.configured(), "-l", PROBE, **environment)
        return [json.loads(line.removeprefix("VALUE ")) for line in said.splitlines() if line.startswith("VALUE ")]

    def of(self, file: Path, *asked: str, more: Sequence[str] = (), server: bool = True) -> list[str]:
        """Return the values of expressions in the buffer of one file."""
        return self.values(*((file, each) for each in asked), more=more, server=server)


@pytest.fixture
def editor(emacs: Program, tmp_path: Path) -> Emacs:
    return Emacs(emacs, tmp_path)
