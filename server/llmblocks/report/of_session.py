"""The summary of the outcomes of a session's calls, which no single text shows."""

from __future__ import annotations

from llmblocks.report.summary import Summary
from llmblocks.sessions import Session


def summarise_session(session: Session) -> Summary:
    """Summarise the unanswered and repeated calls of a session, to be merged with the summaries of its texts.

    Raises:
        OSError: A log cannot be read.
    """
    # without a later request, no call can have a result
    answered = [response for response in session.responses if response.answer is not None]
    return Summary(
        unanswered=sum([call.result is None for response in answered for call in response.calls]),
        repeated=sum([call.repeats is not None for call in session.calls]),
    )
