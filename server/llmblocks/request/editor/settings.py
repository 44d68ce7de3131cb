"""The settings that the editor's part of this format reads."""

from __future__ import annotations

from typing import Protocol


class CallMarkers(Protocol):
    """The markers of calls, which are text to this format."""

    @property
    def start(self) -> str: ...
    @property
    def end(self) -> str: ...
    @property
    def arg(self) -> str: ...


class RequestSettings(Protocol):
    """The settings of requests."""

    @property
    def markers(self) -> CallMarkers: ...
