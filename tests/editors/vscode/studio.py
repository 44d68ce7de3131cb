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
from typing import Any
from urllib.parse import quote

from editors.debian import ROOT, only_one
from editors.vscode.install import CACHE, Tools, node_modules
from editors.vscode.watchdog import Guarded

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
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata><Identity Language="en-US" Id="{name}" Version="{version}" Publisher="{publisher}"/></Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>"""
CONTENT_TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".json" ContentType="application/json"/>
<Default Extension=".js" ContentType="application/javascript"/>
<Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>"""


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
        self._env = {
            "HOME": str(self.home),
            "PATH": path or os.environ["PATH"],
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_DATA_HOME": str(self.home / "data"),
            "XDG_CACHE_HOME": str(self.home / "cache"),
            "XDG_RUNTIME_DIR": str(self.home / "run"),
            "LANG": "C.UTF-8",
        }
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
            self._end()
            raise

    def _open_browser(self) -> None:
        socket = self.home / "browser.sock"
        program = ["node", str(HERE / "browser.mjs"), str(self._tools.chromium)]
        env = {"HOME": str(self.home), "LANG": "C.UTF-8"}
        browser = self._browser = Guarded([*program, str(socket), str(self.home / "profile")], env, self._log)
        self.browser = Remote(socket, lambda: browser.running)
        self.browser("goto", url=self.address)
        self.probe = self._find_probe()

    def _find_probe(self) -> Remote:
        return Remote(self.home / "probe.sock", lambda: self._server.running)

    def visit(self, folder: Path) -> None:
        """Open another folder in the window."""
        self.folder = folder
        self._query = f"folder={quote(str(folder))}"
        # the old window's extensions continue for a while
        self.probe.close()
        (self.home / "probe.sock").unlink()
        self.browser("goto", url="about:blank")
        self.browser("goto", url=self.address)
        self.probe = self._find_probe()

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

    def close(self) -> None:
        """End everything that runs; more than once is once."""
        if not self._log.closed:
            self._end()

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
        file.write_text(text, encoding="utf-8", newline="")
        self.probe("open", file=str(file))
        return str(file)

    def settings(self) -> dict[str, Any]:
        """Return the saved settings of the user."""
        found: dict[str, Any] = json.loads((self.home / "user" / "User" / "settings.json").read_text())
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
        end = time.monotonic() + 120
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/healthz", timeout=5):
                    return
            except OSError:
                if not self._server.running or time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def _end(self) -> None:
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
    package = json.loads((source / "package.json").read_text())
    vsix = folder / f"{source.name}.vsix"
    with zipfile.ZipFile(vsix, "w") as archive:
        contents = {"extension.vsixmanifest": MANIFEST.format(**package), "[Content_Types].xml": CONTENT_TYPES}
        contents |= {f"extension/{path.name}": path.read_text() for path in sorted(source.iterdir())}
        for name, text in contents.items():
            # without the time, so that the same extension is the same file
            archive.writestr(zipfile.ZipInfo(name), text)
    return vsix


def playwright() -> Path:
    """Install what drives the browser."""
    return node_modules(HERE)


class RemoteError(Exception):
    """The request failed at the other end."""


class Remote:
    """The other end of a socket."""

    def __init__(self, path: Path, alive: Callable[[], bool], patience_s: float = 120) -> None:
        self._socket = _connect(path, alive, patience_s)
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


def _connect(path: Path, alive: Callable[[], bool], patience_s: float) -> socket.socket:
    end = time.monotonic() + patience_s
    while True:
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(180)
        try:
            connection.connect(str(path))
            return connection
        except OSError:
            connection.close()
            if not alive() or time.monotonic() > end:
                raise
            time.sleep(0.05)  # nothing tells when a socket comes to be
