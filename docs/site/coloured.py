"""Code of our formats on the pages: colours, underlined findings and hovers, as an editor shows them."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from markdown_it import MarkdownIt

from llmblocks import Finding, Settings, check
from llmblocks.features.hover import hover
from llmblocks.features.marks import paint
from llmblocks.languages.ask import Ask
from llmblocks.languages.registry import find_language, language_ids, open_document

_MARKDOWN: Final = MarkdownIt("commonmark").enable("table")
_FENCE: Final = re.compile(r"^(`{3,})(?P<language>[\w-]+)[^\n]*\n(?P<text>.*?)^\1$", re.MULTILINE | re.DOTALL)
_CODE: Final = re.compile(
    r'(?<=<div class=")language-text(?P<before> highlight">(?:<span class="filename">[^<]*</span>)?<pre>)<span></span>'
    r"<code>(?P<text>.*?)</code>",
    re.DOTALL,
)


class _Part(NamedTuple):
    """A stretch of a text with one look.

    Args:
        about: The explanation, as HTML.
    """

    start: int
    end: int
    classes: str
    about: str


def page(text: str, source: str, settings: Settings, unended: Collection[str] = ()) -> str:
    """Colour a page.

    Args:
        text: The page as HTML.
        source: The same page as Markdown, which names the languages.
        settings: The settings of its examples.
        unended: Examples without a line end, to which Markdown gives one.
    """
    fences = [fence for fence in _FENCE.finditer(source) if fence["language"] in language_ids()]

    def colour(code: re.Match[str]) -> str:
        # the blocks of the page, in its order; HTML has neither carriage returns nor byte order marks
        shown = html.unescape(code["text"])
        fence = next((each for each in fences if _as_in_html(each["text"]) == shown), None)
        if fence is None:
            return code[0]
        fences.remove(fence)
        example = fence["text"][:-1] if fence["text"][:-1] in unended else fence["text"]
        spans = "".join(_spans(example, fence["language"], settings))
        return f"language-{fence['language']}{code['before']}<code>{spans}</code>"

    return _CODE.sub(colour, text)


def _as_in_html(text: str) -> str:
    return re.sub(r"\r\n?", "\n", text).replace("\ufeff", "")


def _spans(text: str, language: str, settings: Settings) -> Iterator[str]:
    """Cut a text where a colour or a finding begins or ends."""
    found = [_underlined(text, each) for each in check(text, language, settings)]
    parts = [*_painted(text, language, settings), *found]
    cuts = sorted({0, len(text), *(cut for part in parts for cut in part[:2])})
    for start, end in pairwise(cuts):
        here = [part for part in parts if part.start <= start and end <= part.end]
        shown = html.escape(text[start:end], quote=False)
        if here:
            classes = " ".join(part.classes for part in here)
            about = html.escape("".join(part.about for part in reversed(here)))
            # the Tab key stops at findings alone
            reached = ' tabindex="0"' if "finding" in classes else ""
            shown = f'<span class="{classes}" data-about="{about}"{reached}>{shown}</span>'
        yield shown


def _painted(text: str, language_id: str, settings: Settings) -> Iterator[_Part]:
    language, document = find_language(language_id), open_document(text, language_id, settings)
    for placed in document.onward(0):
        for start, end, role, _ in paint(placed.section, language.paints(settings).by_kind):
            at = placed.start + start
            explained = hover(Ask(document, language, settings, at, at))
            about = _MARKDOWN.render(explained.text) if explained else ""
            yield _Part(at, placed.start + end, f"token {role}", about)


def _underlined(text: str, finding: Finding) -> _Part:
    # a missing end has no width: mark the last character
    start = min(finding.start, len(text.rstrip("\n")) - 1)
    kind = finding.severity.name.lower()
    message = html.escape(finding.message.lines).replace("\n", "<br>")
    about = f"<p><b>{kind} {finding.code}</b><br>{message}</p>"
    return _Part(start, max(finding.end, start + 1), f"finding {kind}", about)
