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
            for name in ("session.gadget", "chat.stf"):
                file = str(folder / name)
                studio.probe("open", file=file)
                first = studio.probe("anyDiagnostics", file=file)[0]
                studio.probe("cursor", file=file, position=first["range"][:2])
                studio.probe("command", name="editor.action.showHover")
                studio.browser("text", selector=".monaco-hover:not(.hidden) .hover-contents")
                taken = studio.screenshot(name, {"x": 0, "y": 36, "width": 860, "height": 560})
                shutil.copyfile(taken, ROOT / "docs" / "images" / f"vscode-{name.replace('.', '-')}.png")
                studio.browser("press", key="Escape")


if __name__ == "__main__":
    main()
