"""Repair a response, or send it back, with a limit: a model that repeats its mistake is not asked for ever."""

from collections.abc import Callable, Collection

from llmblocks import Severity, feedback, fix

Messages = list[dict[str, str]]


class GivenUpError(Exception):
    """The model makes mistakes that only it could correct. The argument is the last feedback."""


def response_without_mistakes(
    ask: Callable[[Messages], str], messages: Messages, *, known: Collection[str] = (), repeats: int = 2
) -> str:
    """Return the first response without errors, after safe fixes.

    `ask` sends messages to a model. It is asked at most `repeats` times more, and no more once the feedback is the same
    as before: it has not helped. `known` are the earlier responses of the session: calls may wait for theirs.
    """
    before = ""
    for _ in range(repeats + 1):
        response = ask(messages)
        fixed = fix(response, "gadget", known=known)
        if not any(finding.severity is Severity.ERROR for finding in fixed.left):
            return fixed.text
        told = feedback(response, "gadget", known=known)
        if told == before:
            break
        before = told
        messages = [*messages, {"role": "assistant", "content": response}, {"role": "user", "content": told}]
    raise GivenUpError(before)
