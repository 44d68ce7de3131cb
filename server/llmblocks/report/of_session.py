"""The summary of what became of the calls in a session, which no text tells alone."""

from __future__ import annotations

from llmblocks.report.summary import Summary, merged
from llmblocks.sessions import Response, Session


def summarise_session(session: Session) -> Summary:
    """The calls without a result and the repeated mistakes of a session, to be merged with the summaries of its texts.

    Errors: `OSError` if a log cannot be read.
    """
    return merged(map(of_response, session.responses))


def of_response(response: Response) -> Summary:
    """Those of one response. Shape: in a response that no request answers, no call can have a result."""
    if response.answer is None:
        return Summary(repeated=_repeated(response))
    unanswered = sum([call.result is None for call in response.calls])
    return Summary(unanswered=unanswered, repeated=_repeated(response))


def _repeated(response: Response) -> int:
    return sum([call.repeats is not None for call in response.calls])
