"""The loop that serves a client, between a thread that reads and one that writes."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
import time
from collections import deque
from contextlib import suppress
from threading import Lock, Thread, Timer

from llmblocks.lsp.front.connections import Connection
from llmblocks.lsp.session.session import ServerSession
from llmblocks.lsp.wire.dispatch import END, arrival
from llmblocks.lsp.wire.outbox import Outbox

logger = logging.getLogger(__name__)
MAX_WAITING_BYTES = 64 << 20
"""Messages that wait to be served. While there are more, the server does not read."""
MAX_UNREAD_BYTES = 64 << 20
"""Messages that the client has not read. While there are more, the server serves nothing."""
_HELD_SECONDS = 0.02
_SWITCH_SECONDS = 0.0005
_WATCH_SECONDS = 0.5
_GRACE_SECONDS = 1.0
_LAST_ANSWERS_SECONDS = 60.0
"""The time to answer the requests sent before the input ended."""
_LOOK_SECONDS, _MOST_LOOKS = 0.0002, 10


class Loop:
    """Serves one client: pygls takes three hops between threads for a message, and blocks if a client does not read.

    `lock` is held while the session works. `process` is that of the client, if `initialize` does not name it.
    """

    def __init__(self, session: ServerSession, lock: Lock, connection: Connection, process: int | None) -> None:
        gc.disable()
        # the threads that read and write wait this long for a computing thread, and a key waits for both
        sys.setswitchinterval(_SWITCH_SECONDS)
        self.outbox = Outbox(connection.write, self._end)
        self._bodies: deque[bytes | None] = deque()
        """Messages that were read, but are not in the inbox; None is the end."""
        self._taken = 0
        self._session = session
        self._lock = lock
        self._connection = connection
        self._process = process
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()

    async def run(self) -> int:
        """Serve until the session is over, and return the exit status."""
        Thread(target=self._read, name="reader", daemon=True).start()
        watching = asyncio.create_task(self._watch())
        session = self._session
        while session.exit_code is None:
            if self.outbox.unread > MAX_UNREAD_BYTES:
                await asyncio.sleep(_HELD_SECONDS)
                continue
            with self._lock:
                self._take()
                is_busy = session.step()
            await (asyncio.sleep(0) if is_busy else self._rest())
        watching.cancel()
        return session.exit_code

    async def close(self, code: int) -> None:
        """End all tasks, and close the connection once everything is written: pygls exits in the middle of a write."""
        if others := asyncio.all_tasks() - {asyncio.current_task()}:
            for each in others:
                each.cancel()
            await asyncio.wait(others, timeout=_GRACE_SECONDS)
        self.outbox.close()
        # a thread of an extension may never end
        timer = Timer(_GRACE_SECONDS, os._exit, (code,))
        timer.daemon = True
        timer.start()
        with suppress(OSError):
            self._connection.close()

    def look(self) -> None:
        """Take new messages while the session works. On a busy machine, the thread that reads waits for this one."""
        for _ in range(_MOST_LOOKS):
            if self._bodies or not self._connection.is_readable():
                break
            time.sleep(_LOOK_SECONDS)
        self._take()

    def _take(self) -> None:
        while self._bodies:
            body = self._bodies[0]
            self._session.inbox.put(END if body is None else arrival(body))
            # the thread that reads finds it in one of both
            self._bodies.popleft()
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
        if not self._bodies:
            with self._lock:
                self._session.release()

    async def _watch(self) -> None:
        """End when the client's process has ended: pygls survives it (#130). This also lets interrupts in."""
        while not self._connection.is_parent or _is_alive(self._session.client.process_id or self._process):
            await asyncio.sleep(_WATCH_SECONDS)
        logger.info("ending: the client's process has ended")
        self._end()

    def _read(self) -> None:
        """Read ahead in a thread: pygls serves a message at once, although its cancellation may be next (#517)."""
        came = 0
        try:
            while (bodies := self._connection.read()) is not None:
                came += sum(map(len, bodies))
                self._put(*bodies)
                while came - self._taken + self._session.inbox.size > MAX_WAITING_BYTES:
                    time.sleep(_HELD_SECONDS)
        except OSError as error:
            logger.warning("cannot read from the client: %s", error)
        is_asked = bool(self._bodies) or self._session.is_asked
        self._end()
        # even a busy session ends in time
        time.sleep(_LAST_ANSWERS_SECONDS if is_asked else _GRACE_SECONDS)
        os._exit(1)

    def _end(self) -> None:
        self._put(None)

    def _put(self, *bodies: bytes | None) -> None:
        self._bodies += bodies
        # the loop may have ended
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._news.set)


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
