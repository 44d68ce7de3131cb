"""Every scanner and every layering there is. A new one joins by being listed here once."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

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
    holds_back: bool = True
    """False where no marker is longer than a character."""
    independent: bool = False
    """True where each section says by itself what it is."""


SUBJECTS = (
    Subject("gadget", GadgetScanner, GADGET, (texts.GADGET,)),
    Subject(
        "gadget with short markers",
        lambda: GadgetScanner(Markers("[", "]", "~")),
        GADGET,
        (("[", "]", "~", "[a:b:c\n", "~p\n"),),
        holds_back=False,
    ),
    Subject(
        "gadget with unlike markers",
        lambda: GadgetScanner(Markers("<call>", "</call>", "<p>")),
        GADGET,
        (("<call>", "</call>", "<p>", "<", "</", "<ca", "ll>", "<call>a\n", "<p>b\n", "p>"),),
    ),
    Subject("stf @", lambda: StfScanner("@"), STF, (texts.STF,)),
    Subject("stf ;", lambda: StfScanner(";"), STF, (texts.STF,)),
    Subject("stf auto", lambda: StfScanner("auto"), STF, (texts.STF,)),
    Subject(
        "gadget in stf", lambda: Layered(StfScanner(), GadgetScanner()), STF.around(GADGET), (texts.STF, texts.GADGET)
    ),
    Subject("tags", lambda: TagScanner(NAMES), TAGS, (texts.TAGS,)),
    Subject(
        "tags in gadget",
        lambda: Layered(GadgetScanner(), TagScanner(NAMES)),
        GADGET.around(TAGS),
        (texts.GADGET, texts.TAGS),
    ),
    Subject("tags in stf", lambda: Layered(StfScanner(), TagScanner(NAMES)), STF.around(TAGS), (texts.STF, texts.TAGS)),
    Subject(
        "gadget and tags in stf by role",
        lambda: nested(
            [
                ("stf", LAYER.scanner(BY_ROLE)),
                ("gadget", GadgetScanner()),
                ("tags", TagScanner(NAMES)),
            ]
        ),
        STF.around(GADGET.around(TAGS)),
        ((*texts.STF, *texts.ROLES), texts.GADGET, texts.TAGS),
    ),
    Subject("request", lambda: RequestScanner(Markers()), REQUEST, (texts.REQUEST, texts.GADGET), independent=True),
    Subject(
        "request with short markers",
        lambda: RequestScanner(Markers("[", "]", "~")),
        REQUEST,
        (texts.REQUEST, ("[", "]", "~", "\n[a:b\n", "\n~p\n")),
        independent=True,
    ),
    Subject(
        "gadget and tags in request",
        lambda: Layered(RequestScanner(Markers()), Layered(GadgetScanner(), TagScanner(NAMES))),
        REQUEST.around(GADGET.around(TAGS)),
        (texts.REQUEST, texts.GADGET, texts.TAGS),
        independent=True,
    ),
    Subject(
        "tags in gadget in stf",
        lambda: Layered(StfScanner(), Layered(GadgetScanner(), TagScanner(NAMES))),
        STF.around(GADGET.around(TAGS)),
        (texts.STF, texts.GADGET, texts.TAGS),
    ),
    Subject("the template of a format", TodoScanner, TODO.nesting, (texts.TODO,), independent=True),
    Subject(
        "tags in the template of a format",
        lambda: Layered(TodoScanner(), TagScanner(NAMES)),
        TODO.nesting.around(TAGS),
        (texts.TODO, texts.TAGS),
        # a title begins each section, and closes all tags
        independent=True,
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
