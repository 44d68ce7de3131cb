"""Standard input and output as a channel of messages: one thread reads, one writes, neither waits for the other."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from threading import Thread

from llmblocks.lsp.framing import Framer, Lost
from llmblocks.lsp.inbox import END, Arrival, Inbox
from llmblocks.lsp.rpc import PARSE_ERROR, RequestError, decode

logger = logging.getLogger(__name__)
_CHUNK = 1 << 20


def read_into(descriptor: int, inbox: Inbox, on_end: Callable[[], None]) -> Thread:
    """Start the thread that reads messages into the inbox, until the client closes its end.

    Shape: `on_end` is called from the thread, after the end was put into the inbox.
    """
    thread = Thread(target=_read, args=(descriptor, inbox, on_end), name="reader", daemon=True)
    thread.start()
    return thread


def _read(descriptor: int, inbox: Inbox, on_end: Callable[[], None]) -> None:
    framer = Framer()
    while True:
        try:
            data = os.read(descriptor, _CHUNK)
        except InterruptedError:
            continue
        except BlockingIOError:
            # somebody who shares the descriptor made it non-blocking
            time.sleep(0.005)
            continue
        except OSError as error:
            logger.warning("cannot read from the client: %s", error)
            data = b""
        if not data:
            break
        for body in framer.feed(data):
            inbox.put(arrival(body))
    if framer.unfinished:
        logger.warning("the input ended inside a message, %d bytes of it had come", framer.unfinished)
    inbox.put(END)
    on_end()


def arrival(body: bytes | Lost) -> Arrival:
    """What the bytes of one message, or of none, are to the inbox."""
    if isinstance(body, Lost):
        return Arrival(None, 0, PARSE_ERROR, f"{body.reason}; skipped to the next header, lost {body.sample!r}")
    try:
        return Arrival(decode(body), len(body))
    except RequestError as error:
        return Arrival(None, len(body), error.code, error.message)
