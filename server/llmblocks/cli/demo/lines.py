"""The demo without a terminal: plain lines, without pauses."""

from __future__ import annotations

from typing import TextIO

from llmblocks.cli.demo.page import Page

_AROUND = 2


class PlainLines:
    """Writes the result of each step."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def close(self) -> None:
        self._out.flush()

    def opened(self, page: Page, title: str) -> None:
        """Handle an opened document."""
        self._out.write(f"\n== {title}\n{page.scene.opens}\n")

    def said(self, page: Page, says: str) -> None:
        """Announce the next step."""
        self._out.write(f"\n-- {says}\n")

    def typed(self, page: Page) -> None:
        """Handle a pressed key."""

    def done(self, page: Page) -> None:
        """Show the lines around the findings, or around the cursor."""
        lines = page.text.split("\n")
        squiggles = page.squiggles
        shown = {squiggle.line for squiggle in squiggles} or {page.place(page.cursor)[0]}
        for number, text in enumerate(lines):
            if not any(abs(number - each) <= _AROUND for each in shown):
                continue
            self._out.write(f"{number + 1:>4}  {text}".rstrip() + "\n")
            for squiggle in squiggles:
                if squiggle.line == number:
                    marks = " " * squiggle.start + "^" * (squiggle.end - squiggle.start)
                    self._out.write(f"      {marks} {squiggle.code} {squiggle.message}\n")
        found = f"{len(squiggles)} finding{'s' if len(squiggles) > 1 else ''}" if squiggles else "no findings"
        self._out.write(f"      version {page.version}: {found}, the server answered in {page.answer_ms:.1f} ms\n")
        self._out.flush()
