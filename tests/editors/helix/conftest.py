"""A real Helix that is set up as docs/editors/helix.md says, with the real server."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from editors.debian import ROOT
from editors.homes import environment_of, programs_of
from editors.programs import Program
from editors.terminal import Terminal
from folders import written

PAGE = "docs/editors/helix.md"


class Helix(NamedTuple):
    """A Helix that keeps everything in its home, and is set up as another folder."""

    program: Program
    configuration: Path
    home: Path

    def environment(self, *, server: bool = True) -> dict[str, str]:
        """Return its environment."""
        terminal = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
        return environment_of(self.home, server=server, **terminal, **self.program.environment)

    def configured(self, *, config: bool = True, more: str = "") -> None:
        """Write its files: with or without the page's `config.toml`, and `more` in its `languages.toml`."""
        folder = self.home / "config" / "helix"
        shutil.copytree(self.configuration, folder, symlinks=True, dirs_exist_ok=True)
        with (folder / "languages.toml").open("a", encoding="utf-8") as languages:
            languages.write(more)
        settings = programs_of(PAGE, "toml")[0] if config else "[editor]\n"
        written(folder / "config.toml", f'{settings}end-of-line-diagnostics = "hint"\n')

    def open(
        self, file: Path, *, config: bool = True, more: str = "", server: bool = True, size: tuple[int, int] = (40, 160)
    ) -> Terminal:
        """Return a file in a new one."""
        self.configured(config=config, more=more)
        return Terminal([str(self.program.path), str(file)], self.environment(server=server), file.parent, size)

    def show(self, name: str, text: str, *, config: bool = True, more: str = "", server: bool = True) -> Terminal:
        """Return a new file of its home in a new one."""
        return self.open(written(self.home / name, text), config=config, more=more, server=server)


@pytest.fixture(scope="session")
def configuration(helix: Program, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of Helix after the page's commands, in the home of a new user."""
    home, programs = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("programs")
    (programs / "hx").symlink_to(helix.path)
    [commands] = programs_of(PAGE, "console")
    # its `sed` replaces this
    commands = commands.replace(str(ROOT), "/path/to/llmblocks")
    script = "set -e\n" + re.sub(r"^\$ ", "", commands, flags=re.MULTILINE)
    environment = environment_of(home, server=True, **helix.environment)
    environment |= {"PATH": f"{programs}:{environment['PATH']}", "XDG_CONFIG_HOME": str(home / ".config")}
    done = subprocess.run(
        ["bash", "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300
    )
    if shutil.which("cc"):
        assert done.returncode == 0, done.stdout + done.stderr
    return home / ".config" / "helix"


@pytest.fixture
def hx(helix: Program, configuration: Path, tmp_path: Path) -> Helix:
    return Helix(helix, configuration, tmp_path)
