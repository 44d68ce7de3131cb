"""The graph of the calls in a text: which waits for which."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from llmblocks.features.values import Pause, go_on, in_parts
from llmblocks.gadget import CallEnded, Event, GadgetCall, GadgetStream, Markers
from llmblocks.gadget.editor.dependencies import is_earlier
from llmblocks.gadget.graph.build import Graph, build_graph

if TYPE_CHECKING:
    from llmblocks.languages.ask import Ask
    from llmblocks.settings.values import Settings


def _none(invocation_id: str) -> bool:
    return False


def graph(
    text: str,
    language_id: str,
    settings: Settings,
    pause: Pause = go_on,
    is_earlier: Callable[[str], bool] = _none,
) -> Graph:
    """The graph of the calls in a text. Each message of a chat is a response of its own.

    Shape: `is_earlier` says whether an id is that of a call in an earlier file of the session.
    """
    markers = settings.markers
    if language_id != "stf":
        return build_graph([_calls(text, markers, pause)], is_earlier)
    from llmblocks.stf import decode
    from llmblocks.stf.syntax.roles import CALLS, Holders

    transcript = decode(text, dialect=settings.dialect, default_role=settings.default_role or None)
    holders = Holders(settings.gadget_roles, settings.block_roles)
    texts = [message.text for message in transcript.messages if CALLS in holders.formats(message.role)]
    total = sum(map(len, texts))
    done = 0
    found = []
    for each in texts:
        found.append(_calls(each, markers, go_on))
        done += len(each)
        pause(done, total)
    return build_graph([calls for calls in found if calls], is_earlier)


def graph_of(ask: Ask, pause: Pause = go_on) -> Graph:
    """The graph of the calls in a document, which may wait for calls of earlier files of its session."""
    index = ask.index()
    return graph(ask.document.text, ask.language.id, ask.settings, pause, lambda one: is_earlier(index, one))


def _calls(text: str, markers: Markers, pause: Pause) -> list[GadgetCall]:
    """The calls of one response, in order."""
    stream = GadgetStream(markers=markers)
    events = chain(chain.from_iterable(map(stream.feed, in_parts(text, pause))), _closed(stream))
    return [event.call for event in events if isinstance(event, CallEnded)]


def _closed(stream: GadgetStream) -> Iterator[Event]:
    # not before all of the text has been read
    yield from stream.close()
