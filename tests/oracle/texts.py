"""Texts with much to say about them, and what people do to texts."""

from __future__ import annotations

import re
from typing import NamedTuple

from hypothesis import strategies as st

from llmblocks.settings.rule_names import RULES
from oracle import findings
from oracle.client import Change
from oracle.places import place_of_a_client
from oracle.tokens import Reading

_EXAMPLES = tuple(
    text
    for rule in RULES
    for text in (rule.bad, rule.good, rule.after_fix)
    if text and rule.layer in ("gadget", "stf", "tags")
)
GADGET = (
    *(text for text in _EXAMPLES if "GADGET" in text),
    *("!!!GADGET_START:Sum : s1 : a, b:c\n", "!!!GADGET_START:A:a:b\n", "!!!GADGET_START:B:b:a\n!!!GADGET_END\n"),
    *("!!!GADGET_START:C: c : c,b, a,b\n", "!!!GADGET_START:D\n!!!GADGET_END\n"),
    *("!!!GADGET_START:E:gadget_1:gadget_2,d\n!!!GADGET_END\n", "!!!GADGET_START:F:d:gadget_1\n"),
    *("!!!GADGET_START:::\U0001f600\n", "\U0001f600 !!!GADGET_START:A:a\n!!!GADGET_END\n"),
    "<think>\n!!!GADGET_START:A\n!!!GADGET_END\n</think>\n",
    *("<think> !!!GADGET_START:A\n!!!GADGET_END\n \n</think>\n", "!!!GADGET_START:", "!!!GADGET_END"),
    *("!!!GADGET_END\n\n \n", "!!!ARG:", "!!!ARG:a\n1\n!!!ARG: a \n2\n", "!!!ARG:a !!!ARG:a\n"),
    *("!!!ARG:r/0/x\n1\n!!!ARG:r/last/y\n!!!ARG:r/3\n", "!!!ARG:\n"),
    "!!!ARG:a\n1\n!!!ARG:b\n1\n!!!ARG:b\n2\n!!!ARG:a\n3\n",
    "!!!GADGET_START:A\n!!!ARG:a\n%!!!GADGET_END %<think>%!!!GADGET_START:B\n",
    "!!!GADGET_END%!!!GADGET_START:C%\n%",
    "!!!GADGET_START:D\n!!!ARG:a\n1!!!GADGET_END x!!!GADGET_START:E%\n!!!ARG:a\n!!!GADGET_END x!!!GADGET_START:%\n",
    *("!!!gadget_start:A\n", "!!GADGET_END\n", "!!!GADGET_STRT:A\n"),
    *("!!!GADGET_STRT:A\n!!!ARG:a\n1\n!!!GADGET_END\n!!!GADGET_END\n", "!!!AGR:b\n2\n", "!!!arg"),
    *("[\n\n!!!ARG:list/1/\U0001f600\n", "!!!GADGET_START:Serach:q\n!!!ARG:query\nx\n!!!GADGET_END\n"),
    "!!!GADGET_START:search:r\n!!!ARG:limit\n0\n!!!ARG:order\nnew\n!!!ARG:limt\n1\n",
)
STF = (
    *(text for text in _EXAMPLES if "GADGET" not in text),
    *("\ufeff", "@user name=Jo id='a b'\n", "@msg {role: 'user', n: 1}\n", "@msg {role: 'user', id: 'a b'}\n"),
    *("@user id=1 name=x\n", ';user id="1"\n', "@ai\nSee <think>x\ny</think>\n"),
    "@ai\n!!!GADGET_START:A\n!!!ARG:a\nb\n!!!GADGET_END\n!!!GADGET_START:A\r\n!!!ARG:a\n@# c\nb\r\n!!!GADGET_END\n",
    *("@ */ x\n@*/\n@*/\n", "@/* a\n@/* b\n@*/\n", "@# note\n", "@\n", "@@ text\n", "@2\n", "@nothing x\n"),
    "@call name=f\n{}\n",
    "@ai {id: '1', name: 'a', id: '2'}\n@call {name: 'f', name: 'g'}\n{a: 1, a: [{b: 2, 'b': 3}]}\n",
    *("@embed {type: 'image', url: 'x', url: 'y'}\nz\n", '@ai\n@call name=f\n{"a": 1, "a": 2}\n'),
    "@raw\n{role: 'u', content: '',\n@# note\nrole: 'v',\n content: '', extra: {a: 1, a: 1}}\n@end\n",
    *(";meta\n{a: 1,\n a: 2, a: 3}\n;end\n", "@call {name: 5, id: null}\n{}\n", "@embed type=film\nx\n"),
    *("@raw\n{role: 'user'}\n@end\n", "@ai\n@call name=f\n{a: 1, b: [NaN]}\n", "@ai\n@call name=f\n[1, {a: 0x1F,}]\n"),
    *("@ai\n@call name=f\n{a: 'x', b \U0001f600}\n", "@ai\n@call name=f\n@@{}\n"),
    "@raw\n{role: 1, content: [{type: 'text', text: '\U0001f600'}, {type: 'film'}, 5],\n@# note\nid: null}\n@end\n",
    *("@raw\n{tool_calls: [{name: 'f'}, 'g'], 'refusal': {},\n content: []}\n@end\n", "@raw\n[]\n@END\n"),
    *(";raw\n{role: 'user', content: [{type: 'file', url: 1}], content: 5}\n;end\n", "@end\n", ";user\n;/*\nx\n"),
    *(";*/\n", ";meta\n{}\n;end\n;flush\n", ";extra\n", "@ai\n!!!GADGET_START:A\n!!!ARG:a\n1\n@user\n!!!ARG:a\n2\n"),
    *("@ai\n<think>\n@user\n</think>\n", ";ai\n!!!GADGET_START:A\n!!!ARG:a\n; extra\n{}\n;end\n1\n!!!GADGET_END\n"),
    "@ai\n!!!GADGET_START:A\n!!!ARG:a\n@ /* x\n@*/\n1\n!!!GADGET_END\n",
)
COMMENTS = (
    *("@# llmblocks: ignore\n", "@// llmblocks:ignore-file[S001] x\n", "@ # llmblocks: ignore[S001, X9,G1]\n"),
    *(";# llmblocks: ignore [G, S2]\n", "@# llmblocks: ignore-fil\n", "@# llmblocks: ignore S001 here\n"),
    *("@## llmblocks ignore[S0]\n", "@# why, LLMBLOCKS: ignore\n"),
    *("@/* llmblocks: ignore[S001]\nllmblock: ignore\n@*/\n", "<!-- llmblocks: ignore[T002] -->\n"),
    "@user\n@# llmblocks: ignore\n@# llmblocks: ignore[S]\n@*/\n",
)
HTML = (
    *("<!-- llmblocks: ignore -->\n", "<!--llmblocks: ignore-file[S001] --> % ", "<!-- llmblocks: ignore[] -->"),
    *("<!-- llmblocks: ignore -->\n<think>%\n%</think>%\n%", "<!--\nllmblocks: ignore\n-->\n"),
    *("  llmblocks: ignore % -->", "<!-- llmblocks: ignore \n", "<!-- llmblocks:\n ignore[T002] -->"),
    *("<!-- a <!-- llmblocks ignore[T] --> --> ", "llmblocks: ignore[T002]"),
    "<think><!-- llmblocks: ignore --> llmblocks: ignore ",
)
TAGS = (
    *("<think>", "</think>", "<think depth=\"2\" b='x y' c=3 d>\n", "<tool a=\U0001f600/>", "<answer\n"),
    *("<b>", "<<think>", "</b", "<", ">", '"'),
)
PLAIN = (
    *("a", " ", "\n", "\n\n", "\r\n", "\r", "\u2028", "\x85", "\U0001f600\U0001f600 ", "é", "a line of text\n"),
    "long \U0001f600 " * 50,
)
PERCENTS = ("%", "%% ", "%\n", "%\r%", "%\r\n", "% %\n%\n", "x\n% %\n", "\U0001f600%")
_ON_LINES = (
    *("words, and more words ", "some words of prose % and \U0001f600 more of it "),
    *("\n\U0001f600 é a b c d e f g h i j % k l m ", "<think>a b c d e</think><think>a</think>", "<think>"),
    *(" a < b < think > c </think", " > </thin k> <thin k> < / think > ", "<!-- llmblocks: ignore --> "),
    *("<!-- a b c d ", " --> ", " \r a b \r\n c d "),
)
_CALLS_ON_LINES = (
    *("12345678901234567890 1234567890 12345678901234567890 ", " !!!ARG:a !!!GADGET_END !!!GADGET_START:A "),
    *("\n!!!gadget_end a b c d e f ", "``` a ``` b ``` ", "\n!!!GADGET_START:A\n!!!ARG:a\na b c d e f g h "),
)
ON_LINES = {
    "gadget": (*_ON_LINES, *_CALLS_ON_LINES),
    "stf": (*_ON_LINES, *_CALLS_ON_LINES, "\n; user a b c d\n;user a b c d e f g ", "\n@user\na b c d e f g h "),
    "custom-blocks": _ON_LINES,
}
"""Pieces that make long lines, which are cut."""
PIECES = {"gadget": (*GADGET, *TAGS), "stf": (*STF, *COMMENTS, *GADGET, *TAGS), "custom-blocks": (*TAGS, *HTML)}
TYPED = ("x", "%", " ", "!", "@", ";", "<", ">", "/", "*", "=", '"', "0", "\U0001f600", "\t", "\r", "\n")


class Edit(NamedTuple):
    """Something that is done to a text, in words that hold for any text: numbers are taken modulo what there is."""

    what: str
    where: int
    size: int
    text: str

    def made(self, text: str, reading: Reading, before: str) -> Change:
        """Return the change, at a place that clients have. `before` is the text before the last change."""
        change = self._anywhere(text, reading, before)
        if isinstance(change, str):
            return change
        start, end = (place_of_a_client(text, each) for each in change[:2])
        return start, end, change[2]

    def _anywhere(self, text: str, reading: Reading, before: str) -> Change:
        at = self.where % (len(text) + 1)
        if self.what == "undo":
            return before
        if self.what == "whole":
            return text.replace("\r\n", "\n") if "\r\n" in text else text.replace("\n", "\r\n")
        if self.what == "squiggle":
            # on the line of a finding, or before it
            found = findings.findings(text, reading.tokens)
            at = found[self.where % len(found)].start if found else at
            at = text.rfind("\n", 0, at) + 1 if self.size % 2 else at
            return at, at, self.text
        if self.what == "border":
            kinds = ("start", "message-name", "raw-name", "opening", "end", "end-name")
            borders = [token.start for token in reading.tokens if token.kind in kinds] or [0]
            at = min(borders[self.where % len(borders)], len(text))
            if self.size:
                at = max(at - self.size % 3, 0)
                return at, min(at + self.size % 3, len(text)), self.text
        if self.what == "join":
            ends = [found.span() for found in re.finditer("\r\n|\n|\r", text)]
            return (*ends[self.where % len(ends)], "") if ends else (at, at, "")
        if self.what == "append":
            return len(text), len(text), self.text
        if self.what == "delete":
            return at, min(at + self.size, len(text)), ""
        return at, at, self.text


def texts(language_id: str, most: int, least: int = 1, *, long_lines: bool = False) -> st.SearchStrategy[str]:
    """Documents, with the line ends of one system or mixed."""
    others = (ON_LINES[language_id], ON_LINES[language_id]) if long_lines else (PIECES[language_id], PLAIN)
    groups = (PIECES[language_id], *others, PERCENTS)
    piece = st.one_of(*[st.sampled_from(each) for each in groups])
    pieces = st.lists(piece, min_size=least, max_size=most)
    return st.builds(_with_ends, pieces.map("".join), st.sampled_from(("\n", "\n", "\n", "\r\n", "\r")))


def edits(language_id: str) -> st.SearchStrategy[Edit]:
    number = st.integers(0, 5000)
    typed = st.builds(Edit, st.just("type"), number, st.just(0), st.sampled_from(TYPED))
    enter = st.sampled_from(("\n", "\n", "\r\n", "\r", "x", "%", " %", "%\n", "\U0001f600", ""))
    squiggle = st.builds(Edit, st.just("squiggle"), number, st.integers(0, 1), enter)
    border = st.builds(Edit, st.just("border"), number, st.integers(0, 5), st.sampled_from(TYPED))
    paste = st.builds(Edit, st.just("paste"), number, st.just(0), texts(language_id, 3))
    append = st.builds(Edit, st.just("append"), number, st.just(0), st.one_of(enter, texts(language_id, 2)))
    removed = st.builds(Edit, st.just("delete"), number, st.integers(1, 40), st.just(""))
    other = st.builds(Edit, st.sampled_from(("join", "undo", "whole")), number, st.just(0), st.just(""))
    return st.one_of(typed, squiggle, border, paste, append, removed, other)


def _with_ends(text: str, end: str) -> str:
    """CRLF everywhere, or a lone return for some of the line ends."""
    if end == "\r\n":
        return re.sub("\r?\n", "\r\n", text)
    return re.sub("\n(?=[a-z<])", "\r", text) if end == "\r" else text
