"""The summary of what became of the calls in a session, which no text tells alone."""

from __future__ import annotations

from llmblocks.report.summary import Summary
from llmblocks.sessions import Session


def summarise_session(session: Session) -> Summary:
    """The calls without a result and the repeated mistakes of a session, to be merged with the summaries of its texts.

    Errors: `OSError` if a log cannot be read.
    """
    # without an answer, no call can have a result
    answered = [response for response in session.responses if response.answer is not None]
    return Summary(
        unanswered=sum([call.result is None for response in answered for call in response.calls]),
        repeated=sum([call.repeats is not None for call in session.calls]),
    )
