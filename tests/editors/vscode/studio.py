"""A real VS Code in a real browser, with our extension and the probe in it, and the sockets to both."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from editors.debian import ROOT, only_one
from editors.homes import environment_of
from editors.vscode.install import CACHE, Tools, node_modules
from editors.vscode.watchdog import Guarded
from folders import written

T = TypeVar("T")
HERE = Path(__file__).resolve().parent
SCREENSHOTS = ROOT / ".screenshots"
SETTINGS = {
    # nothing is sent or fetched, and no page comes up before the files
    "telemetry.telemetryLevel": "off",
    "extensions.autoUpdate": False,
    "extensions.autoCheckUpdates": False,
    "extensions.ignoreRecommendations": True,
    "git.enabled": False,
    "workbench.startupEditor": "none",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "chat.disableAIFeatures": True,
    # of pictures
    "workbench.colorTheme": "Default Dark Modern",
    # the defaults of VS Code on a machine: one in a browser saves by itself, and asks for files in the browser
    "files.autoSave": "off",
    "files.simpleDialog.enable": True,
}
"""The needs of VS Code here. No setting of the editor is among them: people have its defaults."""


class Studio:
    """One code-server and one browser window on one folder; a context manager that leaves nothing running."""

    def __init__(
        self,
        tools: Tools,
        vsix: Path,
        folder: Path,
        *,
        folders: Sequence[Path] = (),
        path: str | None = None,
        trust_asked: bool = False,
        own_browser: bool = True,
    ) -> None:
        self.folder = folder
        self._query = f"folder={quote(str(folder))}"
        self._tools = tools
        # sockets have short names
        self.home = Path(tempfile.mkdtemp(prefix="llmblocks-"))
        self._port = _free_port()
        # nothing of this environment is in it
        own = {name: value for name, value in environment_of(self.home).items() if value.startswith(str(self.home))}
        self._env = own | {"PATH": path or os.environ["PATH"], "XDG_RUNTIME_DIR": str(self.home / "run")}
        self._env["LANG"] = "C.UTF-8"
        (self.home / "run").mkdir()
        # the extension host takes its PATH from a login shell
        (self.home / ".profile").write_text(f"PATH='{self._env['PATH']}'\nexport PATH\n")
        if folders:
            workspace = self.home / "all.code-workspace"
            workspace.write_text(json.dumps({"folders": [{"path": str(each)} for each in (folder, *folders)]}))
            self._query = f"workspace={quote(str(workspace))}"
        (self.home / "chosen-by-extension").symlink_to(Path(sys.executable).resolve())
        self._log = (self.home / "log").open("wb")
        self._install(vsix)
        trust = [] if trust_asked else ["--disable-workspace-trust"]
        self._server = Guarded([*self._code_server(), *self._options(), *trust], self._env, self._log)
        self._browser: Guarded | None = None
        try:
            self._wait_for_server()
            if own_browser:
                self._open_browser()
        except BaseException as problem:
            problem.add_note((self.home / "log").read_text(errors="replace")[-3000:])
            self.close()
            raise

    def _open_browser(self) -> None:
        socket = self.home / "browser.sock"
        program = ["node", str(HERE / "browser.mjs"), str(self._tools.chromium)]
        env = {"HOME": str(self.home), "LANG": "C.UTF-8"}
        browser = self._browser = Guarded([*program, str(socket), str(self.home / "profile")], env, self._log)
        self.browser = Remote(socket, lambda: browser.running)
        self._open_window()

    def _open_window(self) -> None:
        self.browser("goto", url=self.address)
        self.probe = Remote(self.home / "probe.sock", lambda: self._server.running)

    def visit(self, folder: Path) -> None:
        """Open another folder in the window."""
        self.folder = folder
        self._query = f"folder={quote(str(folder))}"
        # the old window's extensions continue for a while
        self.probe.close()
        (self.home / "probe.sock").unlink()
        self.browser("goto", url="about:blank")
        self._open_window()

    def replace_extension(self, vsix: Path) -> None:
        """Put another package of our extension in the place of the installed one; the next window has it."""
        installed = self.extension
        shutil.rmtree(installed)
        with zipfile.ZipFile(vsix) as archive:
            archive.extractall(self.home / "unpacked")
        (self.home / "unpacked" / "extension").rename(installed)
        # else the editor remembers what it has read of package.json
        os.utime(self.home / "extensions" / "extensions.json")

    @property
    def extension(self) -> Path:
        """Where our extension was installed."""
        [found] = (self.home / "extensions").glob("llmblocks.llmblocks-*")
        return found

    @property
    def address(self) -> str:
        """Where a browser finds it."""
        return f"http://127.0.0.1:{self._port}/?{self._query}"

    def __enter__(self) -> Studio:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if error is not None and self._browser is not None:
            self.screenshot("failed")
        self.close()

    def wait(self) -> None:
        """Wait until the server ends."""
        while self._server.running:
            time.sleep(0.5)

    def screenshot(self, name: str, clip: dict[str, int] | None = None) -> Path:
        """Save a picture of the page to the ignored folder; one of a part, for readers, is of a page at rest."""
        SCREENSHOTS.mkdir(exist_ok=True)
        path = SCREENSHOTS / f"vscode-{name}.png"
        self.browser("screenshot", path=str(path), **({"clip": clip} if clip else {}))
        return path

    def inspect(self, file: Path, position: tuple[int, int]) -> str:
        """Return the result of "Inspect Editor Tokens and Scopes" at a place."""
        self.probe("cursor", file=str(file), position=position)
        self.probe("command", name="editor.action.inspectTMScopes")
        said: str = self.browser("text", selector=".token-inspect-widget .tiw-metadata-table")
        whole: str = self.browser("text", selector=".token-inspect-widget")
        self.probe("command", name="editor.action.inspectTMScopes")
        self.browser("gone", selector=".token-inspect-widget")
        return whole or said

    def opened(self, file: Path, text: str) -> str:
        """Write a file, and open it in the window. After the test, it is closed."""
        self.probe("open", file=str(written(file, text)))
        return str(file)

    def focus(self, file: Path | str, position: Sequence[int]) -> None:
        """Put the cursor somewhere, and wait until the keys go there: a list that opens before would close at once."""
        self.probe("cursor", file=str(file), position=position)
        # another editor, which is beside it, may have had the keys
        self.focused(f"[data-uri$='/{Path(file).name}']" if os.path.isabs(file) else "")

    def focused(self, editor: str = "") -> None:
        """Wait until the keys go to the text, of any editor or of this one."""
        self.browser("text", selector=f".editor-group-container.active .monaco-editor.focused{editor}")

    def becomes(self, file: Path | str, text: str) -> None:
        """Wait for the text that keys or a command leave behind."""
        self.probe("textBecomes", file=str(file), text=text)

    def status(self) -> str:
        """Return what the status bar says of the server."""
        self.browser("click", selector="[id='status.languageStatus']")
        said: str = self.browser("text", selector=".hover-language-status")
        self.browser("press", key="Escape")
        return said

    def settings(self) -> dict[str, Any]:
        """Return the saved settings of the user, and of the machine."""
        files = [self.home / "user" / name / "settings.json" for name in ("User", "Machine")]
        found: dict[str, Any] = {}
        for file in filter(Path.exists, files):
            end = time.monotonic() + 120
            # VS Code empties a file before it writes it
            while not (text := file.read_text()) and time.monotonic() < end:
                time.sleep(0.05)
            found |= json.loads(text)
        return found

    def _code_server(self) -> list[str]:
        return [str(self._tools.node), str(self._tools.code_server)]

    def _options(self) -> list[str]:
        return [
            *("--auth", "none", "--bind-addr", f"127.0.0.1:{self._port}"),
            *("--user-data-dir", str(self.home / "user"), "--extensions-dir", str(self.home / "extensions")),
            *("--disable-telemetry", "--disable-update-check", "--disable-getting-started-override", "--disable-proxy"),
            *("--reconnection-grace-time", "5"),
        ]

    def _install(self, vsix: Path) -> None:
        user = self.home / "user" / "User"
        user.mkdir(parents=True)
        (user / "settings.json").write_text(json.dumps(SETTINGS))
        extensions = [vsix, *(_packed(HERE / name, self.home) for name in ("probe", "chooser"))]
        shutil.copytree(self._installed(extensions), self.home / "extensions")

    def _installed(self, extensions: Sequence[Path]) -> Path:
        """Return the folder into which code-server has installed extensions: several windows take them from there."""
        digest = hashlib.sha256(b"".join(path.read_bytes() for path in extensions)).hexdigest()
        cache = CACHE / "extensions"
        with only_one(cache):
            if not (cache / digest).exists():
                for old in cache.glob("*/"):
                    shutil.rmtree(old)
                options = ["--extensions-dir", str(cache / "new"), "--user-data-dir", str(self.home / "installing")]
                wanted = [argument for each in extensions for argument in ("--install-extension", str(each))]
                command = [*self._code_server(), *options, *wanted]
                done = subprocess.run(command, env=self._env, capture_output=True, text=True, timeout=300)
                assert done.stdout.count("was successfully installed") == len(extensions), done.stdout + done.stderr
                (cache / "new").rename(cache / digest)
        return cache / digest

    def _wait_for_server(self) -> None:
        health = f"http://127.0.0.1:{self._port}/healthz"
        patiently(lambda: urllib.request.urlopen(health, timeout=5).close(), lambda: self._server.running)

    def close(self) -> None:
        """End everything that runs; more than once is once."""
        if self._log.closed:
            return
        browser, probe = (getattr(self, name, None) for name in ("browser", "probe"))
        if browser is not None:
            # a page that is merely closed keeps the extension host for its grace time
            browser("goto", url="about:blank")
            browser.close()
        if probe is not None:
            probe.close()
        if self._browser is not None:
            self._browser.end()
        self._server.end()
        self._log.close()
        shutil.rmtree(self.home, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _packed(source: Path, folder: Path) -> Path:
    """Return an extension of ours as a .vsix: VS Code takes in none that it has not installed itself."""
    vsix = folder / f"{source.name}.vsix"
    with zipfile.ZipFile(vsix, "w") as archive:
        for path in sorted(source.iterdir()):
            # without the time, so that the same extension is the same file
            archive.writestr(zipfile.ZipInfo(f"extension/{path.name}"), path.read_bytes())
    return vsix


def playwright() -> Path:
    """Install what drives the browser."""
    return node_modules(HERE)


class RemoteError(Exception):
    """The request failed at the other end."""


def patiently(attempt: Callable[[], T], alive: Callable[[], bool]) -> T:
    """Try again until it works: nothing tells when a socket comes to be. Raises `OSError` after two minutes."""
    end = time.monotonic() + 120
    while True:
        try:
            return attempt()
        except OSError:
            if not alive() or time.monotonic() > end:
                raise
            time.sleep(0.05)


class Remote:
    """The other end of a socket."""

    def __init__(self, path: Path, alive: Callable[[], bool]) -> None:
        self._socket = patiently(lambda: _connected(path), alive)
        self._lines = self._socket.makefile("r", encoding="utf-8")

    def __call__(self, method: str, /, **params: Any) -> Any:
        self._socket.sendall(json.dumps({"method": method, "params": params}).encode() + b"\n")
        line = self._lines.readline()
        if not line:
            raise RemoteError(f"{method}: the other end is gone")
        answer = json.loads(line)
        if "error" in answer:
            raise RemoteError(f"{method} {params}: {answer['error']}")
        return answer["result"]

    def close(self) -> None:
        """Hang up."""
        self._lines.close()
        self._socket.close()


def _connected(path: Path) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(180)
    try:
        connection.connect(str(path))
    except OSError:
        connection.close()
        raise
    return connection
