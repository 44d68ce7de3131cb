"""The views of the demo: redrawn on a terminal with every key, or as plain lines."""

from __future__ import annotations

import textwrap
import time
from typing import TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from llmblocks.cli.demo.editor import Page, Squiggle
from llmblocks.cli.source import counted

_KEY_SECONDS = 0.045
_READ_SECONDS = 1.9
_SLEEP_SECONDS = 0.5
_TALLEST = 26
_WIDEST = 112
_STYLES = {1: "bold red", 2: "bold yellow", 3: "bold blue", 4: "bold cyan"}
_GUTTER = 5
_AROUND = 2


class Terminal:
    """Draws a page on a terminal, at a pace for human readers."""

    def __init__(self, console: Console, speed: float) -> None:
        self._console, self._speed = console, speed
        self._live = Live(console=console, auto_refresh=False, transient=False)
        self._title, self._top = "", 0
        self._live.start()

    def close(self) -> None:
        self._live.stop()

    def opened(self, page: Page, title: str) -> None:
        self._title, self._top = title, 0
        self.done(page, page.scene.opens)

    def typed(self, page: Page, says: str, seconds: float = _KEY_SECONDS) -> None:
        """Show a pressed key."""
        self._live.update(self._draw(page, says), refresh=True)
        self._rest(seconds)

    def done(self, page: Page, says: str) -> None:
        """Pause after a step."""
        self.typed(page, says, _READ_SECONDS)

    def _rest(self, seconds: float) -> None:
        until = time.monotonic() + seconds / self._speed
        # Python handles an interrupt just before a sleep only when the sleep is over
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(left, _SLEEP_SECONDS))

    def _draw(self, page: Page, says: str) -> RenderableType:
        width = min(self._console.width, _WIDEST)
        # two lines of frame, one of caption, four of findings, one for the cursor of the shell
        rows = max(min(self._console.height, _TALLEST) - 8, 4)
        body = self._body(page, rows, width - 4)
        subtitle = f"version {page.version} · the server answered in {page.answer_ms:.1f} ms" if page.version else ""
        frame = Panel(body, title=self._title, title_align="left", subtitle=subtitle, subtitle_align="right")
        frame.width, frame.height, frame.padding, frame.border_style = width, rows + 2, (0, 1), "bright_black"
        caption = Text(f" {says}", style="bold", no_wrap=True, overflow="ellipsis")
        return Group(caption, frame, *_findings(page, width))

    def _body(self, page: Page, rows: int, width: int) -> Text:
        lines = page.text.split("\n")
        line, column = page.place(page.cursor)
        self._scroll(line, rows, len(lines))
        body = Text(no_wrap=True, overflow="crop")
        drawn = 0
        for number in range(self._top, len(lines)):
            here = [each for each in page.squiggles if each.line == number]
            if drawn + 1 + bool(here) > rows:
                break
            body.append(f"{number + 1:>{_GUTTER - 2}}  ", "bright_black")
            body.append_text(_line(lines[number], here, column if number == line else None)).append("\n")
            if here:
                body.append_text(_underline(lines[number], here, width)).append("\n")
            drawn += 1 + bool(here)
        return body

    def _scroll(self, line: int, rows: int, count: int) -> None:
        """Keep the cursor in the middle part, so that the document does not jump with every line."""
        margin = min(4, rows // 3)
        if not self._top + margin <= line < self._top + rows - margin - 1:
            self._top = line - rows // 2
        # two more lines, for a squiggle on the last one
        self._top = max(min(self._top, count - rows + 2), 0)


def _line(text: str, squiggles: list[Squiggle], cursor: int | None) -> Text:
    line = Text(f"{text} ", _colour(text))
    for squiggle in squiggles:
        line.stylize(f"{_STYLES[squiggle.severity]} underline", squiggle.start, squiggle.end)
    if cursor is not None:
        line.stylize("reverse", cursor, cursor + 1)
    return line


def _colour(text: str) -> str:
    if text.startswith("!!!"):
        return "cyan"
    if text.startswith(("@#", "@//", "@/*", "@*/")):
        return "bright_black"
    return "magenta" if text.startswith("@") and not text.startswith("@@") else ""


def _underline(text: str, squiggles: list[Squiggle], width: int) -> Text:
    from rich.cells import cell_len

    row = Text(" " * _GUTTER)
    for squiggle in squiggles:
        # characters may be two cells wide
        row.append(" " * (_GUTTER + cell_len(text[: squiggle.start]) - len(row)))
        row.append("^" * max(cell_len(text[squiggle.start : squiggle.end]), 1), _STYLES[squiggle.severity])
    last = squiggles[-1]
    row.append(f" {last.code}", _STYLES[last.severity])
    row.truncate(width)
    return row


def _findings(page: Page, width: int) -> list[Text]:
    """Four rows, even if fewer are needed: a frame that changes its size is hard to watch."""
    rows: list[Text] = []
    for squiggle in page.squiggles:
        where = f"{squiggle.line + 1}:{squiggle.start + 1}"
        first, *more = textwrap.wrap(f"{where} {squiggle.code} {squiggle.message}", width - 6)
        rows.append(Text.assemble("  ", ("● ", _STYLES[squiggle.severity]), first))
        rows += [Text(f"    {each}") for each in more]
    if not rows:
        rows.append(Text.assemble("  ", ("✓", "bold green"), " no findings"))
    return [*rows[:4], *[Text()] * (4 - len(rows))]


_AROUND = 2


class PlainLines:
    """Writes the result of each step, without a terminal and without pauses."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def close(self) -> None:
        self._out.flush()

    def opened(self, page: Page, title: str) -> None:
        self._out.write(f"\n== {title}\n{page.scene.opens}\n")

    def typed(self, page: Page, says: str) -> None:
        """Only the result of a step is shown."""

    def done(self, page: Page, says: str) -> None:
        """Show the lines around the findings, or around the cursor."""
        self._out.write(f"\n-- {says}\n")
        squiggles = page.squiggles
        shown = {squiggle.line for squiggle in squiggles} or {page.place(page.cursor)[0]}
        for number, text in enumerate(page.text.split("\n")):
            if not any(abs(number - each) <= _AROUND for each in shown):
                continue
            self._out.write(f"{number + 1:>4}  {text}".rstrip() + "\n")
            for each in squiggles:
                if each.line == number:
                    marks = " " * each.start + "^" * (each.end - each.start)
                    self._out.write(f"      {marks} {each.code} {each.message}\n")
        found = counted(len(squiggles), "finding") if squiggles else "no findings"
        self._out.write(f"      version {page.version}: {found}, the server answered in {page.answer_ms:.1f} ms\n")
        self._out.flush()
