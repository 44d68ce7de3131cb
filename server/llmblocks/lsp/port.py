"""The server for a host that passes whole messages and has no threads, such as a web worker."""

from __future__ import annotations

import gc
from collections.abc import Callable

from llmblocks.lsp.session.session import ServerSession
from llmblocks.lsp.wire.dispatch import arrival


class MessagePort:
    """A session that receives message by message.

    After `receive`, the host calls `step` until it is False, and accepts messages in between: the session skips work
    that a later message makes useless.

    Args:
        send: Gets each message to the client as JSON text.
        watches: The client shall report changes of files. It sees only files in the folders passed to `see`.
    """

    def __init__(self, version: str, send: Callable[[str], None], *, watches: bool = False) -> None:
        gc.disable()
        self._folders: list[str] = []
        self._session = ServerSession(
            version, lambda body: send(body.decode("utf-8")), watches=watches, visible=self._folders
        )

    def see(self, folder: str) -> None:
        """Register that all files in a folder of the host are visible."""
        self._folders.append(folder)

    def receive(self, message: str) -> None:
        """Queue a message from the client. Never raises: an invalid message is answered with an error."""
        self._session.inbox.put(arrival(message.encode("utf-8", "surrogatepass")))

    def step(self) -> bool:
        """Serve one message, or do one short step of idle work; return whether there may be more."""
        return self._session.exit_code is None and self._session.step()

    @property
    def exit_code(self) -> int | None:
        return self._session.exit_code
