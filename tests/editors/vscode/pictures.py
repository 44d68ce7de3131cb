"""Take the pictures again: `python tests/editors/vscode/pictures.py`, then look at them. Run `make vscode` first.

`test_vscode_pictures.py` fails once they are out of date, and after this until `UPDATE_PICTURES=1` accepts them.

They go to docs/images, and to editors/vscode/page for the page of the extension. The moving ones are made of pictures
of the editor at work; they need Pillow, which nothing else here does (`pip install pillow`).
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from editors.debian import ROOT
from editors.vscode.install import install
from editors.vscode.studio import Studio, playwright

PAGE = ROOT / "editors" / "vscode" / "page"
IMAGES = ROOT / "docs" / "images"
FRAME = {"x": 0, "y": 36, "width": 1100, "height": 480}
DARK, LIGHT = "Default Dark Modern", "Default Light Modern"
HOVER = ".monaco-hover:not(.hidden) .hover-contents"
BEGUN = """\
I will read the file first, then write the other one.

!!!GADGET_START:ReadFile:read
!!!ARG:filePath
src/greet.ts
!!!GADGET_END

"""
TYPED = (
    *("!!!GADGET_START:WriteFile:write:read", "!!!ARG:filePath", "src/hello.ts", "!!!ARG:content"),
    *("export const hello = () => greet('Ada');", "!!!ARG:filePath", "src/again.ts"),
)


def main() -> None:
    """All pictures."""
    playwright()
    PAGE.mkdir(exist_ok=True)
    [vsix] = (ROOT / "dist").glob("llmblocks-linux-*.vsix")
    with tempfile.TemporaryDirectory(prefix="llmblocks-") as home:
        folder = Path(home) / "examples"
        shutil.copytree(ROOT / "docs" / "examples", folder)
        with Studio(install(), vsix, folder) as studio:
            studio.probe("command", name="workbench.action.toggleSidebarVisibility")
            studio.probe("command", name="workbench.action.toggleActivityBarVisibility")
            studio.probe("configure", section="editor.stickyScroll.enabled", value=False)
            _still(studio, folder)
            _page(studio, folder)
            _moving(studio, folder)


def _still(studio: Studio, folder: Path) -> None:
    """One picture of a model's response with its squiggles and a problem's text, one of a chat.

    The text is between the lines, where it hides nothing of the code.
    """
    for name, code in (("session.gadget", "G101"), ("chat.stf", "S001")):
        file = folder / name
        studio.probe("open", file=str(file))
        found = studio.probe("anyDiagnostics", file=str(file))
        line, col, *_ = next(one["range"] for one in found if one["code"] == code)
        # colours far down a file come late: they are there once a token can be requested
        studio.inspect(file, (line, col))
        studio.focus(file, (line, 0))
        studio.probe("command", name="editor.action.marker.next")
        studio.browser("text", selector=f".marker-widget:has-text('{code}')")
        studio.probe("command", name="revealLine", arguments=[{"lineNumber": line, "at": "center"}])
        if name == "session.gadget":
            studio.browser("text", selector=".codelens-decoration a:has-text('rejected: Duplicate pointer')")
        taken = studio.screenshot(name, {**FRAME, "height": 560})
        shutil.copyfile(taken, IMAGES / f"vscode-{name.replace('.', '-')}.png")
        studio.browser("press", key="Escape")
        studio.probe("command", name="workbench.action.closeAllEditors")


def _page(studio: Studio, folder: Path) -> None:
    """The pictures on the extension's page."""
    file = folder / "calls.gadget"
    file.write_text("".join(f"{line}\n" for line in (BEGUN.rstrip("\n"), "", *TYPED, "!!!GADGET_END")))
    studio.probe("open", file=str(file))
    studio.probe("anyDiagnostics", file=str(file))
    studio.browser("text", selector=".codelens-decoration a:has-text('rejected: Duplicate pointer')")
    studio.probe("command", name="outline.focus")
    studio.browser("text", selector=".outline-pane .monaco-list-row:has-text('WriteFile')")
    studio.focus(file, (12, 8))
    studio.probe("begin", name="editor.action.quickFix")
    studio.browser("text", selector=".action-widget .monaco-list-row.focused")
    shutil.copyfile(studio.screenshot("dark", {**FRAME, "height": 660}), PAGE / "dark.png")
    studio.browser("press", key="Escape")
    studio.probe("command", name="workbench.action.toggleSidebarVisibility")
    studio.probe("command", name="workbench.action.closeAllEditors")
    settings = folder / "llmblocks.toml"
    settings.write_text('[stf]\ndialect = "@" # as in the specification\n\n[rules]\nignore = []\n')
    studio.probe("open", file=str(settings))
    studio.probe("cursor", file=str(settings), position=(4, 10))
    studio.browser("type", text='"G11')
    studio.browser("text", selector=".suggest-widget.visible .monaco-list-row.focused")
    studio.probe("command", name="toggleSuggestionDetails")
    shutil.copyfile(studio.screenshot("settings-page", {**FRAME, "width": 1000, "height": 360}), PAGE / "settings.png")
    studio.browser("press", key="Escape")
    settings.unlink()
    studio.probe("command", name="workbench.action.revertAndCloseActiveEditor")
    studio.probe("configure", section="workbench.colorTheme", value=LIGHT)
    studio.probe("open", file=str(file))
    studio.probe("command", name="llmblocks.showGraph")
    studio.browser("graph")
    studio.probe("command", name="llmblocks.showTranscript")
    studio.probe("beside", language="json", part='"items"')
    studio.probe("command", name="workbench.action.focusSecondEditorGroup")
    studio.probe("command", name="workbench.action.moveEditorToBelowGroup")
    studio.browser("graph")
    studio.probe("command", name="workbench.action.focusFirstEditorGroup")
    studio.browser("text", selector=".codelens-decoration a:has-text('rejected: Duplicate pointer')")
    shutil.copyfile(studio.screenshot("light", {**FRAME, "height": 600}), PAGE / "graph.png")
    studio.probe("command", name="workbench.action.closeAllEditors")
    studio.probe("configure", section="workbench.colorTheme", value=DARK)
    file.unlink()


def _moving(studio: Studio, folder: Path) -> None:
    """A call is typed, a mistake in it underlined, explained and fixed, and the graph of calls drawn."""
    frames: list[tuple[Path, int]] = []

    def take(milliseconds: int) -> None:
        frames.append((studio.screenshot(f"frame-{len(frames):03}", FRAME), milliseconds))

    file = folder / "response.gadget"
    file.write_text(BEGUN)
    studio.probe("open", file=str(file))
    studio.probe("configure", section="editor.quickSuggestions", value={"other": "off"})
    studio.probe("configure", section="editor.suggestOnTriggerCharacters", value=False)
    studio.probe("configure", section="[gadget]", value={"editor.formatOnType": False})
    studio.inspect(file, (2, 3))
    studio.probe("cursor", file=str(file), position=(BEGUN.count("\n"), 0))
    take(900)
    for line in TYPED:
        for at in range(0, len(line), 9):
            studio.browser("type", text=line[at : at + 9])
            take(160)
        studio.browser("type", text="\n")
    studio.browser("type", text="!!!GADGET_END")
    [found] = [each for each in studio.probe("anyDiagnostics", file=str(file)) if each["code"] == "G101"]
    studio.browser("text", selector=".view-overlays .squiggly-error")
    take(900)
    studio.focus(file, (found["range"][0], found["range"][1]))
    studio.probe("command", name="editor.action.showHover")
    studio.browser("text", selector=HOVER)
    take(3000)
    studio.browser("press", key="Escape")
    studio.probe("begin", name="editor.action.quickFix")
    studio.browser("text", selector=".action-widget .monaco-list-row.focused")
    take(2200)
    studio.browser("press", key="Enter")
    studio.browser("gone", selector=".view-overlays .squiggly-error")
    take(1500)
    studio.probe("command", name="llmblocks.showGraph")
    studio.browser("graph")
    take(3000)
    animate(*map(list, zip(*frames, strict=True)))


def animate(frames: list[Path], times: list[int]) -> None:
    """Write pictures as moving ones: for the page of the extension, which takes no WebP, and for the README."""
    from PIL import Image

    pictures: list[Any] = [Image.open(each).convert("RGB") for each in frames]
    width, height = pictures[0].size
    # one palette, so that only what differs takes space; the last ones have all colours between them
    together = Image.new("RGB", (width, height * 5))
    for number, each in enumerate(pictures[-5:]):
        together.paste(each, (0, number * height))
    palette = together.quantize(160)
    first, *others = [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in pictures]
    first.save(PAGE / "demo.gif", save_all=True, append_images=others, duration=times, loop=0, optimize=True)
    first, *others = pictures
    how = {"lossless": True, "quality": 100, "method": 6}
    path = IMAGES / "vscode-moving.webp"
    first.save(path, save_all=True, append_images=others, duration=times, loop=0, **how)


if __name__ == "__main__":
    main()
