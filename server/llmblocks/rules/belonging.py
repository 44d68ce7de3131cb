"""The context of a text: its file, or the earlier responses of a session in memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from llmblocks.contract.other_files import ALONE, OtherFiles
from llmblocks.languages.language import Language
from llmblocks.languages.registry import host_ids, language_ids
from llmblocks.rules.project import Project
from llmblocks.settings.values import DEFAULTS, Settings

_NONE: Final[Mapping[str, str]] = {}


class Belonging(NamedTuple):
    """The language and the settings of a text, and its session."""

    language_id: str
    settings: Settings
    project: Project | None = None
    name: str | None = None
    """The path of its file, or None."""
    known: Collection[str] = ()
    """The earlier responses of the session in memory, or the ids of their calls."""
    results: Mapping[str, str] = _NONE
    """The runtime's reports about calls of that session."""

    def other_files(self, language: Language, text: str) -> OtherFiles:
        """Return the other files, or the earlier responses, of the session of the text, or of one embedded in it."""
        if self.known or self.results:
            from llmblocks.workspace.memory import EarlierResponses

            return EarlierResponses(text, self.known, self.results, self.settings.markers)
        return ALONE if self.project is None or self.name is None else self.project.other_files(language, self.name)


def belonging(
    language_id: str | None,
    settings: Settings | None,
    name: str | None,
    known: Collection[str] = (),
    results: Mapping[str, str] | None = None,
) -> Belonging:
    """Return the context of a text.

    Raises:
        ValueError: The language is unknown.
        TypeError: An argument has another type.
    """
    if isinstance(known, str | bytes) or not isinstance(known, Collection):
        raise TypeError(f"known is a collection of ids or of texts, such as a list, not {type(known).__name__}")
    if not isinstance(results, Mapping | None):
        raise TypeError(f"results are what the runtime said, by the ids of calls, not {type(results).__name__}")
    settings = settings or DEFAULTS
    project = None if name is None else Project(settings=settings)
    if project is not None and name is not None:
        language_id = language_id or project.language_of(name)
        settings = project.settings_for(name)
    if language_id is None:
        every = ", ".join((*language_ids(), *host_ids()))
        raise ValueError(f"the name {name!r} does not determine a language: use one of {every}")
    return Belonging(language_id, settings, project, name, known, results or _NONE)
