"""The callbacks of a registered tag."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from llmblocks.tags.reading.misuse import need_callables, need_mapping, shown
from llmblocks.tags.syntax.names import is_name


@dataclass(frozen=True, slots=True)
class TagHandler:
    """The callbacks of a registered tag, all optional.

    Shape:  `on_start(attrs)` at the end of an opening tag, before any content; `on_content(content, attrs)` when the
            block is complete, or cut short by the end of the stream; `on_self_closing(attrs)` instead of both for
            `<done/>`.
    Errors: `ValueError` for anything but a function.
    """

    on_start: Callable[[dict[str, str]], object] | None = None
    on_content: Callable[[str, dict[str, str]], object] | None = None
    on_self_closing: Callable[[dict[str, str]], object] | None = None

    def __post_init__(self) -> None:
        need_callables(self, "on_start", "on_content", "on_self_closing")


def handlers_by_name(tags: Mapping[str, TagHandler]) -> dict[str, TagHandler]:
    """A copy of the registered tags, checked.

    Errors: `ValueError` for anything but a mapping from names to handlers; `UserWarning` for a name that no tag can
            have, because the reference accepts such names, although they never match.
    """
    need_mapping("TagStream", tags, 'TagStream({"think": TagHandler()})')
    for name, handler in tags.items():
        if not isinstance(handler, TagHandler):
            raise ValueError(f"the handler of {name!r} is {shown(handler)}: give a TagHandler, such as TagHandler()")
        if not is_name(name):
            warnings.warn(f"the tag {name!r} is never met: {NAME_RULE}", UserWarning, stacklevel=3)
    return dict(tags)


NAME_RULE = "tag names are ASCII letters, digits, `_` and `-`, and begin with a letter or `_`"
