"""No process outlives a test run, however it ends."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

from editors.debian import ROOT
from editors.vscode.install import Tools
from editors.vscode.watchdog import marked

DRIVER = """
import sys
sys.path[:0] = {path!r}
from pathlib import Path
from editors.vscode.install import install
from editors.vscode.studio import Studio
studio = Studio(install(), Path({vsix!r}), Path({folder!r}))
studio.probe("open", file={file!r})
studio.probe("running")
print(*studio.marks, studio.home, flush=True)
sys.stdin.read()
"""


def test_nothing_stays_when_a_run_is_killed(tools: Tools, vsix: Path, tmp_path: Path) -> None:
    file = tmp_path / "call.gadget"
    file.write_text("!!!GADGET_START:Greet\n")
    path = [str(ROOT / "tests"), str(ROOT / "server")]
    code = DRIVER.format(path=path, vsix=str(vsix), folder=str(tmp_path), file=str(file))
    driver = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert driver.stdout is not None
    *marks, home = driver.stdout.readline().split()
    alive = [process for mark in marks for process in marked(mark)]
    # code-server and its parts, the extension host, the language server; the browser and its parts
    assert len(alive) > 6
    driver.kill()
    driver.wait(120)
    end = time.monotonic() + 120
    while (left := [process for mark in marks for process in marked(mark)]) and time.monotonic() < end:
        time.sleep(0.1)
    shutil.rmtree(home)
    assert left == []
