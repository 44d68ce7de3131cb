"""Every scanner and every layering there is. A new one joins by being listed here once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from e2e.fourth.todo.editor.layer import LAYER as TODO
from e2e.fourth.todo.scanner import TodoScanner
from laws import completions, texts
from llmblocks.completions.editor.layer import NESTING as COMPLETION
from llmblocks.completions.scanner import CompletionScanner
from llmblocks.completions.shipped import find_template, template_names
from llmblocks.core.layered import Layered, nested
from llmblocks.core.nest import Nesting
from llmblocks.core.scan import Scanner
from llmblocks.gadget.editor.calls import NESTING as GADGET
from llmblocks.gadget.scanner import GadgetScanner
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.request.editor.layer import NESTING as REQUEST
from llmblocks.request.scanner import RequestScanner
from llmblocks.settings.values import Settings
from llmblocks.stf.editor.layer import LAYER
from llmblocks.stf.editor.layer import NESTING as STF
from llmblocks.stf.scanner import StfScanner
from llmblocks.tags.editor.layer import NESTING as TAGS
from llmblocks.tags.scanner import TagScanner

BY_ROLE = Settings(default_role="user", gadget_roles=("ai", "user"), block_roles=("tool", "user", "critic"))
NAMES = ("think", "debug-info", "t")


class Subject(NamedTuple):
    """A scanner under the laws."""

    name: str
    scanner: Callable[[], Scanner]
    nesting: Nesting
    pieces: tuple[tuple[str, ...], ...]
    """The groups of marker pieces that its texts are made of."""


FORMATS: dict[str, tuple[Callable[[], Any], Nesting, tuple[str, ...]]] = {
    "gadget": (GadgetScanner, GADGET, texts.GADGET),
    "stf": (StfScanner, STF, texts.STF),
    "tags": (lambda: TagScanner(NAMES), TAGS, texts.TAGS),
    "request": (lambda: RequestScanner(Markers()), REQUEST, texts.REQUEST),
    "the template of a format": (TodoScanner, TODO.nesting, texts.TODO),
}


def layering(name: str) -> Subject:
    """Return a format, or formats inside of others: the innermost is the first of the name."""
    inner, _, outer = name.rpartition(" in ")
    scanner, nesting, pieces = FORMATS[outer]
    if not inner:
        return Subject(name, scanner, nesting, (pieces,))
    inside = layering(inner)
    around = nesting.around(inside.nesting)
    return Subject(name, lambda: Layered(scanner(), inside.scanner()), around, (pieces, *inside.pieces))


LAYERINGS = (
    *("gadget", "stf", "gadget in stf", "tags", "tags in gadget", "tags in stf", "tags in gadget in stf"),
    *("tags in gadget in request", "the template of a format", "tags in the template of a format"),
)
SUBJECTS = (
    *map(layering, LAYERINGS),
    Subject(
        "gadget with short markers",
        lambda: GadgetScanner(Markers("[", "]", "~")),
        GADGET,
        (("[", "]", "~", "[a:b:c\n", "~p\n"),),
    ),
    Subject(
        "gadget with unlike markers",
        lambda: GadgetScanner(Markers("<call>", "</call>", "<p>")),
        GADGET,
        (("<call>", "</call>", "<p>", "<", "</", "<ca", "ll>", "<call>a\n", "<p>b\n", "p>"),),
    ),
    Subject("stf @", lambda: StfScanner("@"), STF, (texts.STF,)),
    Subject("stf ;", lambda: StfScanner(";"), STF, (texts.STF,)),
    Subject(
        "gadget and tags in stf by role",
        lambda: nested([("stf", LAYER.scanner(BY_ROLE)), ("gadget", GadgetScanner()), ("tags", TagScanner(NAMES))]),
        STF.around(GADGET.around(TAGS)),
        ((*texts.STF, *texts.ROLES), texts.GADGET, texts.TAGS),
    ),
    # a request shows calls, which begin nothing
    Subject("request", lambda: RequestScanner(Markers()), REQUEST, (texts.REQUEST, texts.GADGET)),
    Subject(
        "request with short markers",
        lambda: RequestScanner(Markers("[", "]", "~")),
        REQUEST,
        (texts.REQUEST, ("[", "]", "~", "\n[a:b\n", "\n~p\n")),
    ),
    *[
        Subject(
            f"completion of {name}",
            lambda name=name: CompletionScanner(find_template(name).template),  # type: ignore[misc]
            COMPLETION,
            (completions.pieces_of(name),),
        )
        for name in template_names()
    ],
)
