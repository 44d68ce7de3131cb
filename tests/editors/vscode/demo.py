"""`make vscode-demo`: a browser VS Code with the extension and a copy of docs/examples, until it is interrupted."""

from __future__ import annotations

import shutil
import signal
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from editors.debian import ROOT, UnavailableError
from editors.vscode.conftest import package
from editors.vscode.install import install
from editors.vscode.studio import Studio


def main() -> int:
    """Build, start, print the address, wait."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        tools = install(browser=False)
    except UnavailableError as problem:
        sys.stderr.write(f"the demo cannot run here: {problem}\n")
        return 1
    vsix, _ = package("--if-changed")
    with tempfile.TemporaryDirectory(prefix="llmblocks-demo-") as folder:
        examples = Path(folder) / "examples"
        shutil.copytree(ROOT / "docs" / "examples", examples)
        with Studio(tools, vsix, examples, own_browser=False) as studio:
            sys.stdout.write(f"VS Code is at {studio.address}\nCtrl-C ends it.\n")
            sys.stdout.flush()
            try:
                studio.wait()
            except KeyboardInterrupt:
                # once is enough: what follows ends everything
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                sys.stdout.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
