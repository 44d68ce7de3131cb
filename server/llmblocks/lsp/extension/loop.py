"""One thread for a session and for the asynchronous handlers of an extension: messages are served in an event loop."""

from __future__ import annotations

import asyncio
import os
import selectors
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Lock, Timer

from llmblocks.core.system import POSIX
from llmblocks.lsp.connection import Connection

_GRACE_SECONDS = 1.0


class Loop:
    """Serves a connection in an event loop. Between two messages, tasks have their turn.

    Shape: `lock` is held while a message is served. `leave` is called at the end, with a function that it calls as soon
           as the process may end.
    """

    def __init__(self, connection: Connection, lock: Lock, leave: Callable[[Callable[[], None]], None]) -> None:
        self._connection = connection
        self._lock = lock
        self._leave = leave
        self._scheduled = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._over: asyncio.Future[None] | None = None

    def run(self) -> int:
        """Serve until the session is over; gives the exit status."""
        connection = self._connection
        with asyncio.Runner(loop_factory=_new_loop) as runner:
            runner.run(self._serve())
            status = connection.session.exit_code
            assert status is not None
            # a handler that does not end must not keep the process: neither a task, nor, below, a thread
            timer = _end_after(connection, status)
        timer.cancel()
        connection.finish()
        _end_after(connection, status)
        return status

    def call(self, function: Callable[[], None]) -> None:
        """Call a function between two messages, with the lock held. May be called from any thread."""
        self._later(partial(self._guarded, function))

    def _later(self, function: Callable[[], object]) -> None:
        # the loop may be closed already, or at this moment
        with suppress(RuntimeError):
            if self._loop is not None:
                self._loop.call_soon_threadsafe(function)

    async def _serve(self) -> None:
        connection, intake = self._connection, self._connection.intake
        self._loop = loop = asyncio.get_running_loop()
        self._over = loop.create_future()
        if intake is None:
            connection.arrived = lambda: self.call(self._schedule)
        else:
            for descriptor in (connection.channel.reads, intake.woken):
                loop.add_reader(descriptor, self._look)
        self._schedule()
        await self._over
        if intake is not None:
            loop.remove_reader(connection.channel.reads)
            loop.remove_reader(intake.woken)
        left = asyncio.Event()
        with suppress(TimeoutError):
            self._leave(lambda: self._later(left.set))
            await asyncio.wait_for(left.wait(), _GRACE_SECONDS)

    def _look(self) -> None:
        intake = self._connection.intake
        assert intake is not None
        assert self._loop is not None
        intake.take()
        if intake.ended:
            self._loop.remove_reader(self._connection.channel.reads)
        if not self._scheduled:
            self._turn()

    def _schedule(self) -> None:
        if not self._scheduled and self._loop is not None:
            self._scheduled = True
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        self._scheduled = False
        self._guarded(self._serve_one)

    def _guarded(self, function: Callable[[], None]) -> None:
        over = self._over
        if over is None or over.done():
            return
        try:
            with self._lock:
                function()
        except BaseException as error:
            # the event loop would log it and wait for ever
            over.set_exception(error)
            raise

    def _serve_one(self) -> None:
        connection, session = self._connection, self._connection.session
        if connection.inbox.waiting():
            connection.outbox.wait_for_room()
            session.serve(connection.inbox.get())
        if session.exit_code is not None:
            assert self._over is not None
            self._over.set_result(None)
        elif session.idle() or connection.inbox.waiting():
            # in this order: whoever is idle looks for messages
            self._schedule()


def _new_loop() -> asyncio.AbstractEventLoop:
    if POSIX:
        # standard input may be a file, which only poll accepts
        return asyncio.SelectorEventLoop(selectors.PollSelector())
    return asyncio.new_event_loop()


def _end_after(connection: Connection, status: int) -> Timer:
    def end() -> None:
        connection.finish()
        os._exit(status)

    timer = Timer(_GRACE_SECONDS, end)
    timer.daemon = True
    timer.start()
    return timer
