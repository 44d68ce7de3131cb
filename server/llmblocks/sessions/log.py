"""The raw completions of a JSON Lines log, as a session."""

from __future__ import annotations

from collections.abc import Iterable

from llmblocks.completions.message import CompletionCall, read_calls
from llmblocks.completions.shipped import guessed, template_called
from llmblocks.gadget.running.fates import Fate
from llmblocks.hosts.json_data import JsonData
from llmblocks.settings.rules import D001_NOT_JSON
from llmblocks.settings.values import ByGlob, Settings
from llmblocks.workspace.listing import NOTHING
from llmblocks.workspace.outcomes import Ending
from llmblocks.workspace.session import Response, Result, Session, SessionCall

_PATHS = ByGlob("**", ("role:role", "result:messages[role=tool].content"))
"""The other texts of a log, in the form of `Settings.strings`."""
_OTHERS = ("system", "developer", "user")


class LoggedCompletion(Response):
    """A completion in a line of a log."""

    def __init__(self, session: LogSession, index: int, line: int, text: str) -> None:
        super().__init__(session, index, line, f"{session.folder}:{line}", None, None)
        self.text, self.results = text, {}
        self.tried, message = read_calls(text, session.template, session.schemas)
        calls = [SessionCall(call, self, number) for number, call in enumerate(self.tried)]
        self._parsed = (*calls,), message.content or ""
        self.reasoning = message.reasoning or ""
        # the program gives its calls other ids, so the order counts
        self.waiting = iter([number for number, call in enumerate(self.tried) if not call.error])


class LogSession(Session):
    """The completions of a log, in order. Its settings are those of the file.

    `unread` are the lines that are not JSON, each with the reason.
    """

    def __init__(self, file: str, lines: Iterable[str], settings: Settings) -> None:
        super().__init__(file)
        self._listed = NOTHING
        self.template = template_called(settings.template)
        self.schemas = settings.gadgets if settings.gadgets.names else None
        self.unread: list[tuple[int, str]] = []
        self.responses, missing = self._read(lines, settings)
        self._outcomes.endings = [
            [
                _judged(call, Ending("returned") if number in response.results else missing)
                for number, call in enumerate(response.tried)
            ]
            for response in self.responses
        ]
        self.misfit = self._misfit()

    def _read(self, lines: Iterable[str], settings: Settings) -> tuple[tuple[LoggedCompletion, ...], Ending]:
        """Return the completions, and the outcome of calls without a result."""
        host = JsonData.of(settings._replace(strings=(*settings.strings, _PATHS)), by_line=True)
        found: list[LoggedCompletion] = []
        missing = Ending("called")
        for line, text in enumerate(lines, 1):
            row = host.read(text)
            self.unread += [(line, str(each.data["reason"])) for each in row.problems if each.rule is D001_NOT_JSON]
            role = next((each.text for each in row.texts if each.language_id == "role"), "")
            for each in row.texts:
                if each.language_id == "result" or (role == "tool" and each.language_id == "completion"):
                    missing = Ending("no result", "no later message has it")
                    if found and (number := next(found[-1].waiting, None)) is not None:
                        found[-1].results[number] = Result(each.text, (), f"{self.folder}:{line}")
                elif each.language_id == "completion" and role not in _OTHERS:
                    found.append(LoggedCompletion(self, len(found), line, each.text))
        return (*found,), missing

    def _misfit(self) -> str:
        if any(not call.error for call in self.calls):
            return ""
        found = guessed("\n".join([response.text for response in self.responses]))
        if not found.names or self.template in map(template_called, found.names):
            return ""
        return f"no calls by this template: {found.name} may fit, as {found.why}"


def _judged(call: CompletionCall, received: Ending) -> tuple[Fate, Ending]:
    if not call.error:
        return Fate(1), received
    return Fate(0), Ending("never ran" if call.is_lost else "rejected", call.error)
