"""Take the pictures of the README anew: `python tests/editors/vscode/pictures.py`, then look at them.

They go to docs/images. Run `make vscode` first.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from editors.debian import ROOT
from editors.vscode.install import install
from editors.vscode.studio import Studio, playwright


def main() -> None:
    """One picture of a model's response with its squiggles and a problem's text, one of a chat."""
    playwright()
    [vsix] = (ROOT / "dist").glob("llmblocks-linux-*.vsix")
    with tempfile.TemporaryDirectory(prefix="llmblocks-") as home:
        folder = Path(home) / "examples"
        shutil.copytree(ROOT / "docs" / "examples", folder)
        with Studio(install(), vsix, folder) as studio:
            studio.probe("command", name="workbench.action.toggleSidebarVisibility")
            studio.probe("command", name="workbench.action.toggleActivityBarVisibility")
            for name, code in (("session.gadget", "G101"), ("chat.stf", "S001")):
                file = folder / name
                studio.probe("open", file=str(file))
                found = studio.probe("anyDiagnostics", file=str(file))
                line, col, *_ = next(one["range"] for one in found if one["code"] == code)
                # colours far down a file come late: by the time a token there can be asked for, they have come
                studio.inspect(file, (line, col))
                studio.probe("command", name="editor.action.showHover")
                studio.browser("text", selector=".monaco-hover:not(.hidden) .hover-contents")
                taken = studio.screenshot(name, {"x": 0, "y": 36, "width": 900, "height": 560})
                shutil.copyfile(taken, ROOT / "docs" / "images" / f"vscode-{name.replace('.', '-')}.png")
                studio.browser("press", key="Escape")


if __name__ == "__main__":
    main()
