"""A session and the client at the other end of its channel."""

from __future__ import annotations

import logging
from collections.abc import Callable

from llmblocks.core.system import POSIX
from llmblocks.lsp.session.session import Session
from llmblocks.lsp.wire.channel import Channel
from llmblocks.lsp.wire.framing import Framing
from llmblocks.lsp.wire.inbox import END
from llmblocks.lsp.wire.intake import Intake, arrival, read_into
from llmblocks.lsp.wire.outbox import Outbox
from llmblocks.lsp.wire.process import ClientWatch

logger = logging.getLogger(__name__)
_OUTPUT_GRACE_SECONDS = 1.0


class Connection:
    """Carries messages between a session and its client.

    Shape: `intake` is None on systems whose pipes cannot be polled: a thread reads there, and calls `arrived`
           whenever there is something in the inbox.
    """

    def __init__(self, session: Session, channel: Channel, framing: Framing) -> None:
        self.session = session
        self.inbox = session.inbox
        self.channel = channel
        self.framing = framing
        self.outbox = Outbox(channel, framing.frame, lambda: self.abandon("the client no longer reads"))
        self.watch = ClientWatch(channel, self.abandon, self._last_words)
        self.intake: Intake | None = None
        # without it, whoever serves waits at the inbox itself
        self.arrived: Callable[[], None] = lambda: None
        session.send = self.outbox.put
        framing.answer = self.outbox.put_framed

    def start(self, process: int | None = None, first: bytes = b"") -> None:
        """Start to read, and to watch for the client's end.

        Shape: `process` is the client's process id, if known; `first` are bytes that were already read.
        """
        if first:
            for body in self.framing.feed(first):
                self.inbox.put(arrival(body))
        if POSIX:
            self.intake = Intake(self.channel, self.framing, self.inbox)
            self.inbox.look = self.intake.look
        else:
            read_into(self.channel, self.framing, self.inbox, lambda: self.arrived(), self.watch.input_ended)
        self.watch.start(process)

    def serve(self) -> int:
        """Serve the client until it ends or sends `exit`. Returns the exit status."""
        session, inbox, intake, outbox = self.session, self.inbox, self.intake, self.outbox
        session.publisher.can_wait = intake is not None
        while session.exit_code is None:
            outbox.wait_for_room()
            while session.idle():
                pass
            if intake is not None and not inbox.waiting() and not intake.wait(session.patience()):
                session.release()
                continue
            session.serve(inbox.get())
        self.finish()
        return session.exit_code

    def finish(self) -> None:
        """Send the rest of the output."""
        farewell = self.framing.farewell()
        if farewell:
            self.outbox.put_framed(farewell)
        self.outbox.finish(_OUTPUT_GRACE_SECONDS)

    def abandon(self, reason: str) -> None:
        """End the session because the client has disconnected. May be called from any thread."""
        logger.info("ending: %s", reason)
        self.inbox.put(END)
        if self.intake is not None:
            self.intake.wake()
        else:
            self.arrived()

    def _last_words(self) -> bool:
        if self.intake is not None:
            self.intake.drain()
            self.intake.wake()
        return self.inbox.asked


Serve = Callable[[Connection], int]
"""Serves the client of a connection until it is gone; gives the exit status."""
