"""The loop that serves a client."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
import time
from collections import deque
from contextlib import suppress
from functools import partial
from threading import Lock, Thread, Timer, get_ident

from llmblocks.lsp.front.connections import Connection, has_more, is_hung_up
from llmblocks.lsp.session.session import ServerSession
from llmblocks.lsp.wire.dispatch import END, arrival
from llmblocks.lsp.wire.outbox import Outbox, PolledOutbox, retried, write_all

logger = logging.getLogger(__name__)
MAX_WAITING_BYTES = 64 << 20
"""Messages that wait to be served. While there are more, the server does not read."""
MAX_UNREAD_BYTES = 64 << 20
"""Messages that the client has not read. While there are more, the server serves nothing."""
_HELD_SECONDS = 0.02
_WATCH_SECONDS = 0.5
_GRACE_SECONDS = 1.0
_LAST_ANSWERS_SECONDS = 60.0
"""The time to answer the requests sent before the input ended."""


class Loop:
    """Serves one client: pygls takes three hops between threads for a message, and blocks if a client does not read.

    Pipes and sockets are polled; for other connections, a thread reads and another one writes.

    `lock` is held while the session works. `process` is that of the client, if `initialize` does not name it.
    """

    def __init__(self, session: ServerSession, lock: Lock, connection: Connection, process: int | None) -> None:
        gc.disable()
        self._session = session
        self._lock = lock
        self._connection = connection
        self._process = process
        self._loop = loop = asyncio.get_running_loop()
        self._thread = get_ident()
        self._news = asyncio.Event()
        self._bodies: deque[bytes | None] = deque()
        """Messages that were read, but are not in the inbox; None is the end."""
        self._came = self._taken = 0
        self._has_ended = False
        self._polled = connection.reads
        self._is_polling = False
        self.outbox: Outbox | PolledOutbox = (
            Outbox(partial(write_all, connection.write), self._end)
            if connection.writes is None
            else PolledOutbox(loop, connection.writes, connection.write, self._end)
        )

    async def run(self) -> int:
        """Serve until the session is over, and return the exit status."""
        for work in [self._watch] if self._polled is not None else [self._watch, self._read_ahead]:
            Thread(target=work, daemon=True).start()
        session = self._session
        while session.exit_code is None:
            if self.outbox.unread > MAX_UNREAD_BYTES:
                await asyncio.sleep(_HELD_SECONDS)
                continue
            with self._lock:
                self.look()
                is_busy = session.step()
            await (asyncio.sleep(0) if is_busy else self._rest())
        return session.exit_code

    async def close(self, code: int) -> None:
        """End all tasks, and close the connection once everything is written: pygls exits in the middle of a write."""
        if others := asyncio.all_tasks() - {asyncio.current_task()}:
            for each in others:
                each.cancel()
            await asyncio.wait(others, timeout=_GRACE_SECONDS)
        # as long as somebody reads, who may pause
        least, until = self.outbox.unread, time.monotonic() + _GRACE_SECONDS
        while least and time.monotonic() < until:
            await asyncio.sleep(_HELD_SECONDS / 10)
            if self.outbox.unread < least:
                least, until = self.outbox.unread, time.monotonic() + _GRACE_SECONDS
        # a thread of an extension may never end
        timer = Timer(_GRACE_SECONDS, os._exit, (code,))
        timer.daemon = True
        timer.start()
        with suppress(OSError):
            self._connection.close()

    def look(self) -> None:
        """Take new messages, also while the session works: pygls serves one before it reads its cancellation (#517)."""
        if get_ident() != self._thread:
            return
        if self._polled is not None:
            self._poll(self._polled)
        while self._bodies:
            body = self._bodies.popleft()
            self._session.inbox.put(END if body is None else arrival(body))
            self._taken += len(body or b"")

    async def _rest(self) -> None:
        """Wait for a message, or for work that is due after a while without one."""
        self._news.clear()
        seconds = self._session.patience()
        # `wait_for` takes as long as a key
        timer = None if seconds is None else self._loop.call_later(seconds, self._news.set)
        await self._news.wait()
        if timer is not None:
            timer.cancel()
        self.look()
        if not self._session.inbox.waiting():
            with self._lock:
                self._session.release()

    def _poll(self, descriptor: int) -> None:
        """Read what has arrived, unless too many messages wait."""
        wanted = not self._has_ended and self._session.inbox.size <= MAX_WAITING_BYTES
        if wanted:
            with suppress(BlockingIOError):
                self._read()
        if wanted != self._is_polling:
            self._is_polling = wanted
            if wanted:
                self._loop.add_reader(descriptor, self._arrived)
            else:
                self._loop.remove_reader(descriptor)

    def _arrived(self) -> None:
        self.look()
        if self._session.inbox.waiting():
            self._news.set()

    def _read_ahead(self) -> None:
        while not self._has_ended:
            retried(self._read)
            self._wake()
            while self._came - self._taken + self._session.inbox.size > MAX_WAITING_BYTES:
                time.sleep(_HELD_SECONDS)

    def _read(self) -> None:
        try:
            bodies = self._connection.read()
        except BlockingIOError:
            raise
        except OSError as error:
            logger.warning("cannot read from the client: %s", error)
            bodies = None
        if bodies is None:
            self._end()
        else:
            self._came += sum(map(len, bodies))
            self._bodies += bodies

    def _end(self) -> None:
        self._has_ended = True
        self._bodies.append(None)
        self._wake()

    def _wake(self) -> None:
        # the loop may have ended
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._news.set)

    def _watch(self) -> None:
        """End with the client's process: pygls survives it (#130). End even a busy session soon after its input."""
        polled = self._polled
        while not (self._has_ended or (polled is not None and is_hung_up(polled))):
            time.sleep(_WATCH_SECONDS)
            if self._connection.is_parent and not _is_alive(self._session.client.process_id or self._process):
                logger.info("ending: the client's process has ended")
                self._end()
        time.sleep(_GRACE_SECONDS)
        is_asked = self._session.is_asked or self._came > self._taken or (polled is not None and has_more(polled))
        time.sleep(_LAST_ANSWERS_SECONDS if is_asked or self.outbox.unread else 0)
        os._exit(1)


def _is_alive(process: int | None) -> bool:
    """Return whether a process runs. On Windows, only the end of the input shows that the client has ended."""
    if process is None or sys.platform == "win32":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    try:
        # a process that has ended but was not waited for no longer counts as a client
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as stat:
            return stat.read().rpartition(")")[2].split()[:1] != ["Z"]
    except OSError:
        return True
