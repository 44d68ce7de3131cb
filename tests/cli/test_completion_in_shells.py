"""`llmblocks completion` in real shells, as somebody types: bash and zsh on a terminal, fish through its own engine."""

from __future__ import annotations

import os
import select
import shlex
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from commands import run

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="shells of POSIX")]

# each line before and after the Tab key, without the space or comma after it
TYPED = {
    "llmblocks che": "llmblocks check",
    "llmblocks check --output-fo": "llmblocks check --output-format",
    "llmblocks check --output-format sa": "llmblocks check --output-format sarif",
    "llmblocks check --select G10": "llmblocks check --select G10",
    "llmblocks check --select duplicate-poi": "llmblocks check --select duplicate-pointer",
    "llmblocks explain unknown-com": "llmblocks explain unknown-command",
    "llmblocks check --settings ll": "llmblocks check --settings llmblocks.toml",
    "llmblocks report --resume fo": "llmblocks report --resume folder/",
    "llmblocks check cha": "llmblocks check chat.stf",
    "llmblocks parse an": "llmblocks parse an\\ answer.gadget",
    "llmblocks server --log-level inf": "llmblocks server --log-level info",
    "llmblocks convert chat.stf --to stf-": "llmblocks convert chat.stf --to stf-semicolon",
}
BASH = """\
source ./completion
_said() { printf '%s\\n' "$READLINE_LINE" > said; READLINE_LINE= READLINE_POINT=0; }
bind -x '"\\C-g": _said'
bind 'set bell-style none'
PROMPT_COMMAND='printf "ready\\n" > said; PROMPT_COMMAND='
"""
ZSH = """\
fpath=($PWD $fpath)
autoload -Uz compinit && compinit -u -D
_said() { print -r -- "$BUFFER" > said; BUFFER= }
zle -N _said
bindkey '^G' _said
zle-line-init() { print ready > said; zle -D zle-line-init }
zle -N zle-line-init
"""
STARTS = {"bash": ("bash", "--noprofile", "--rcfile", "./rc", "-i"), "zsh": ("zsh", "-i")}


@pytest.fixture
def folder(shell: str, tmp_path: Path) -> Path:
    """A folder with files, and what the command prints for a shell, which is installed."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    for name in ("chat.stf", "an answer.gadget", "llmblocks.toml"):
        (tmp_path / name).touch()
    (tmp_path / "folder").mkdir()
    name = {"bash": "completion", "zsh": "_llmblocks", "fish": "completion.fish"}[shell]
    (tmp_path / name).write_text(run(tmp_path, "completion", shell).stdout, "utf-8")
    return tmp_path


@contextmanager
def on_a_terminal(command: tuple[str, ...], folder: Path) -> Iterator[tuple[int, int]]:
    import pty

    os.mkfifo(folder / "said")
    mine, its = pty.openpty()
    variables = {**os.environ, "HOME": str(folder), "ZDOTDIR": str(folder), "TERM": "dumb", "PS1": "$ "}
    with subprocess.Popen(
        command, cwd=folder, stdin=its, stdout=its, stderr=its, env=variables, start_new_session=True
    ) as process:
        os.close(its)
        # what it shows is read: it waits otherwise
        threading.Thread(target=read_all, args=(mine,)).start()
        # open for writing too: no end of file between two lines
        said = os.open(folder / "said", os.O_RDWR)
        try:
            yield mine, said
        finally:
            os.close(said)
            process.kill()


def heard(said: int) -> str:
    """Return the next line that the shell writes to the pipe."""
    ready, _, _ = select.select([said], [], [], 120)
    assert ready
    return os.read(said, select.PIPE_BUF).decode()


def read_all(terminal: int) -> None:
    with suppress(OSError), open(terminal, "rb", buffering=0) as shown:
        while shown.read(4096):
            pass


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_completes_what_is_typed(shell: str, folder: Path) -> None:
    rc, text = {"bash": ("rc", BASH), "zsh": (".zshrc", ZSH)}[shell]
    (folder / rc).write_text(text, "utf-8")
    found = {}
    with on_a_terminal(STARTS[shell], folder) as (terminal, said):
        assert heard(said) == "ready\n"
        for line in TYPED:
            os.write(terminal, f"{line}\t\x07".encode())
            found[line] = heard(said).rstrip(", \n")
    assert found == TYPED


@pytest.mark.parametrize("shell", ["fish"])
def test_fish_completes_what_is_typed(folder: Path) -> None:
    variables = {**os.environ, "HOME": str(folder)}
    for line, completed in TYPED.items():
        asks = f"source completion.fish; complete --do-complete {shlex.quote(line)}"
        command = ["fish", "--no-config", "-c", asks]
        done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=True)
        words = [each.partition("\t")[0] for each in done.stdout.splitlines()]
        begun, word = shlex.split(line)[-1], shlex.split(completed)[-1]
        assert done.stderr == ""
        assert words == [word] or (word == begun and len(words) > 1 and all(each.startswith(begun) for each in words))
