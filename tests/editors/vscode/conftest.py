"""The built extension and the programs to run it in, made once a test run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from editors.debian import ROOT
from editors.programs import available
from editors.vscode.install import HERE, Tools, install
from editors.vscode.samples import CALLS, CHAT, CLEAN, NOTES, RAW, SHOWN
from editors.vscode.studio import SCREENSHOTS, Studio, playwright


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


@pytest.fixture(scope="session")
def web_vsix(web_build: tuple[Path, str]) -> Path:
    """The extension for browsers."""
    return web_build[0]


def package(*options: str) -> tuple[Path, str]:
    """Build the extension, compressed in a hurry, and return it with the messages of the build."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    script = [sys.executable, str(ROOT / "editors" / "vscode" / "scripts" / "package.py"), "--quick"]
    done = subprocess.run([*script, *options], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return ROOT / done.stdout.splitlines()[-1].partition(":")[0], done.stderr


@pytest.fixture(scope="session")
def figures() -> Iterator[Callable[..., None]]:
    """Measurements on the way, written beside the screenshots and never judged."""
    found: dict[str, Any] = {}
    yield found.update
    SCREENSHOTS.mkdir(exist_ok=True)
    path = SCREENSHOTS / "vscode.json"
    # several test processes may have measured each its own
    known = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps(known | found, indent=1) + "\n")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two workspace folders: one with everything, one to see that it is not forgotten."""
    home = tmp_path_factory.mktemp("vscode")
    main, other = home / "main", home / "other"
    for path, text in (
        (main / "calls.gadget", CALLS),
        (main / "chat.stf", CHAT),
        (main / "clean.gadget", CLEAN),
        (main / "answer.completion", RAW),
        (main / "notes.md", NOTES),
        (main / "first.gadget", CALLS),
        (main / ".llmist" / "logs" / "brave-otter" / "0001.response", CALLS),
        (main / ".llmist" / "logs" / "brave-otter" / "0001.request", "=== USER ===\nhello\n"),
        (other / "second.gadget", CALLS),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    shutil.copytree(SHOWN, main / "examples")
    return main


OPEN = pytest.StashKey[Studio]()
ORDER = ("test_vscode_restricted.py", "", "test_vscode_web.py")
"""A file with its own window, then those that share one, and last the one that opens another folder in it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = [number for number, item in enumerate(items) if is_here(item)]
    ours = sorted(
        (items[number] for number in places),
        key=lambda item: ORDER.index(item.path.name) if item.path.name in ORDER else ORDER.index(""),
    )
    for number, item in zip(places, ours, strict=True):
        items[number] = item


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None]:
    """Close the window after the last test that uses it: the process may have tests of other folders to run."""
    yield
    if (nextitem is None or not is_here(nextitem)) and (studio := item.session.stash.get(OPEN, None)):
        studio.close()


def is_here(item: pytest.Item) -> bool:
    return item.path.parent == HERE


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
    for section in before.keys() | after.keys():
        if before.get(section) != after.get(section):
            studio.probe("configure", section=section, value=before.get(section))


@pytest.fixture(scope="session")
def studio(
    request: pytest.FixtureRequest, tools: Tools, vsix: Path, folder: Path, figures: Callable[..., None]
) -> Iterator[Studio]:
    """One window for most tests."""
    with Studio(tools, vsix, folder, folders=[folder.parent / "other"]) as studio:
        request.session.stash[OPEN] = studio
        figures(
            vsix_MB=round(vsix.stat().st_size / 1e6, 1),
            activation_ms=round(studio.probe("activation")),
            first_squiggle_after_opening_ms=studio.probe("timed", file=str(folder / "first.gadget")),
            opened_to_squiggle_when_running_ms=studio.probe("timed", file=str(folder / "calls.gadget")),
        )
        yield studio
