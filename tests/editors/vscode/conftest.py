"""The built extension and the programs to run it in, made once a test run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from editors.debian import ROOT
from editors.embedded_texts import NOTES
from editors.programs import available
from editors.vscode.install import HERE, Tools, install
from editors.vscode.samples import CALLS, CHAT, RAW
from editors.vscode.studio import Studio, playwright
from folders import written


@pytest.fixture(scope="session")
def tools() -> Tools:
    """Chromium and code-server, installed once and reused; where they cannot be had the reason is printed."""
    if not sys.platform.startswith("linux"):
        pytest.skip("code-server and the watchdog run on Linux")
    available(playwright)
    return available(install)


@pytest.fixture(scope="session")
def vsix() -> Path:
    """The extension as `make vscode` builds it, or one that is built already, named by LLMBLOCKS_VSIX."""
    return Path(built).resolve() if (built := os.environ.get("LLMBLOCKS_VSIX")) else package("--if-changed")[0]


@pytest.fixture(scope="session")
def web_build() -> tuple[Path, str]:
    """The extension for browsers, built now, and what the build printed of its steps."""
    return package("--target", "web")


def package(*options: str) -> tuple[Path, str]:
    """Build the extension, compressed in a hurry, and return it with the messages of the build."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    script = [sys.executable, str(ROOT / "editors" / "vscode" / "scripts" / "package.py"), "--quick"]
    done = subprocess.run([*script, *options], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return ROOT / done.stdout.splitlines()[-1].partition(":")[0], done.stderr


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first of two workspace folders; the other one is beside it."""
    home = tmp_path_factory.mktemp("vscode")
    texts = {"calls.gadget": CALLS, "chat.stf": CHAT, "answer.completion": RAW}
    texts |= {"notes.md": NOTES, ".llmist/logs/brave-otter/0001.response": CALLS}
    for name, text in texts.items():
        written(home / "main" / name, text)
    (home / "other").mkdir()
    return home / "main"


OPEN = pytest.StashKey[Studio]()
INTERPRETER = "llmblocks.server.interpreter"
# test_untrusted.py comes first, with its own window; the last file opens another folder in the shared one


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None]:
    """Close the window after the last test that uses it: the process may have tests of other folders to run."""
    yield
    is_last = nextitem is None or nextitem.path.parent != HERE
    if is_last and (studio := item.session.stash.get(OPEN, None)):
        studio.close()


@pytest.fixture(autouse=True)
def the_window_is_tidied(request: pytest.FixtureRequest) -> Iterator[None]:
    """Give the next test the settings that this one was given, and no editors, also where it fails."""
    if "studio" not in request.fixturenames:
        yield
        return
    studio: Studio = request.getfixturevalue("studio")
    before = studio.settings()
    yield
    studio.probe("closeAll")
    after = studio.settings()
    # in this order: a Python that was chosen may be without our package, which `importStrategy` may ask for
    for section in sorted(before.keys() | after.keys()):
        if before.get(section) != after.get(section):
            process = (studio.probe("state") or {}).get("pid", 0)
            studio.probe("configure", section=section, value=before.get(section))
            if section in ("llmblocks.server.command", INTERPRETER, "llmblocks.server.importStrategy"):
                studio.probe("running", unlike=process)


@pytest.fixture(scope="session")
def studio(request: pytest.FixtureRequest, tools: Tools, vsix: Path, folder: Path) -> Iterator[Studio]:
    """One window for most tests."""
    with Studio(tools, vsix, folder, folders=[folder.parent / "other"]) as studio:
        request.session.stash[OPEN] = studio
        yield studio
