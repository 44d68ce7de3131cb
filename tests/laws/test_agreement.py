"""The stream, which an author uses, and the scanner, which an editor uses, read a text alike."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from examples import LAWS
from formats.gadget.test_gadget_stream import AWKWARD
from laws.texts import GADGET, STF, texts
from llmblocks.core.document import Document
from llmblocks.core.section import Section
from llmblocks.gadget import GadgetStream, Markers
from llmblocks.gadget import kinds as gadget
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.scanner import GadgetScanner
from llmblocks.gadget.stream import CallEnded, Text
from llmblocks.gadget.syntax.markers import split_header
from llmblocks.gadget.syntax.values import SPACE
from llmblocks.stf import decode
from llmblocks.stf import kinds as stf
from llmblocks.stf.scanner import StfScanner
from llmblocks.stf.syntax import DIALECTS, detect

READ_ON_DIFFERENTLY = frozenset(("S004", "S007", "S010", "S106"))
"""An editor reads on behind these, so as not to lose the rest of a file; a decoder does what the format says."""


def marked_texts(markers: Markers) -> st.SearchStrategy[str]:
    """Texts of markers, and of parts of them."""
    pieces = [markers.start, markers.start + "G\n", markers.end, markers.arg, markers.arg + "p\n", "\n", "v"]
    return texts((*pieces, *markers.start, *markers.end, *markers.arg), longest=16)


USUAL = st.tuples(st.just(Markers()), texts(GADGET))
OVERLAPPING = st.sampled_from(AWKWARD).flatmap(lambda markers: st.tuples(st.just(markers), marked_texts(markers)))


@settings(max_examples=2 * LAWS, deadline=None)
@given(st.one_of(USUAL, OVERLAPPING))
def test_a_gadget_document_has_the_calls_and_the_text_of_the_stream(given: tuple[Markers, str]) -> None:
    markers, text = given
    stream = GadgetStream(markers)
    events = stream.feed(text) + stream.close()
    streamed = [event.call for event in events if isinstance(event, CallEnded)]

    document = Document(GadgetScanner(markers), text)
    seen = [(section, call) for section in document.sections if (call := call_in(section)) is not None]

    assert len(seen) == len(streamed)
    for (section, call), expected in zip(seen, streamed, strict=True):
        header = split_header(section.text[call.header : call.header_end])
        assert (header.name, header.dependencies) == (expected.name, expected.dependencies)
        assert header.invocation_id in (None, expected.invocation_id)
        assert section.text[call.header_end + 1 : call.end].strip(SPACE) == expected.parameters_raw
        if markers.arg == markers.arg.strip():
            # the runtime trims a body before it looks for arguments, so that such a marker may be lost
            assert call.decoded() == (expected.parameters, expected.problems)
    assert _text_outside_calls(document) == "".join(event.text for event in events if isinstance(event, Text))


@settings(max_examples=LAWS, deadline=None)
@given(texts(STF))
def test_an_stf_document_has_the_messages_of_decoding(text: str) -> None:
    for dialect in ("@", ";", "auto"):
        transcript = decode(text, dialect=dialect)
        if READ_ON_DIFFERENTLY & {finding.code for finding in transcript.findings}:
            continue
        crlf = (detect(text) if dialect == "auto" else DIALECTS[dialect]).crlf
        sections = [section for section in Document(StfScanner(dialect), text).sections if _is_message(section)]
        assert len(sections) == len(transcript.messages)
        for section, message in zip(sections, transcript.messages, strict=True):
            if not {token.kind for token in section.tokens} & {stf.RAW_NAME, stf.BLOCK_NAME, stf.LINE_NAME}:
                written = _content(section, crlf)
                # only the last message of a `;` text can keep the newline that ends it
                kept = not crlf and message is transcript.messages[-1] and message.content == written
                assert kept or message.content == written.removesuffix("\n")


def _is_message(section: Section) -> bool:
    return any(token.kind in (stf.MESSAGE_NAME, stf.RAW_NAME) for token in section.tokens)


def _content(section: Section, crlf: bool) -> str:
    content = "".join(section.text[span.start : span.end] for span in section.spans() if span.kind is stf.TEXT)
    return content.replace("\r\n", "\n") if crlf else content


def _text_outside_calls(document: Document) -> str:
    """Return all text that belongs to no call; a header that never ends is text, with its marker."""
    found, at, text = [], 0, document.text
    tokens = document.tokens()
    for index, (kind, width) in enumerate(tokens):
        unterminated = kind in (gadget.START, gadget.HEADER) and all(
            each.kind is not gadget.HEADER_END for each in tokens[index:]
        )
        if kind in (gadget.TEXT, gadget.STRAY) or unterminated:
            found.append(text[at : at + width])
        at += width
    return "".join(found)
