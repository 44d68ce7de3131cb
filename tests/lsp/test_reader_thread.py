"""The thread that reads where pipes cannot be polled, on a real pipe."""

from __future__ import annotations

import os
from threading import Event

from llmblocks.lsp.wire.channel import Descriptors
from llmblocks.lsp.wire.framing import Framer
from llmblocks.lsp.wire.inbox import END, Inbox
from llmblocks.lsp.wire.intake import read_into
from wire import frame

SECONDS = 120


def test_messages_come_in_order_and_then_the_end() -> None:
    inbox, arrived, ended = Inbox(), Event(), Event()
    source, sink = os.pipe()
    nothing = os.open(os.devnull, os.O_WRONLY)
    read_into(Descriptors(source, nothing), Framer(), inbox, arrived.set, ended.set)
    os.write(sink, frame({"method": "a"}) + frame({"method": "b"}))
    assert [inbox.get().message for _ in range(2)] == [{"method": "a"}, {"method": "b"}]
    os.close(sink)
    assert inbox.get() == END
    assert arrived.wait(SECONDS)
    assert ended.wait(SECONDS)
    os.close(source)
    os.close(nothing)


def test_a_pipe_that_breaks_is_the_end() -> None:
    inbox, arrived, ended = Inbox(), Event(), Event()
    # a pipe cannot be read at the end that is written to
    source, sink = os.pipe()
    nothing = os.open(os.devnull, os.O_WRONLY)
    read_into(Descriptors(sink, nothing), Framer(), inbox, arrived.set, ended.set)
    assert arrived.wait(SECONDS)
    assert ended.wait(SECONDS)
    assert inbox.get() == END
    os.close(source)
    os.close(nothing)
    os.close(sink)
