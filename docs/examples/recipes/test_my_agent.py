"""A pytest fixture that asserts on an agent's response: `pytest test_my_agent.py`."""

from collections.abc import Callable

import pytest

from llmblocks import check
from llmblocks.gadget import CallEnded, GadgetCall, GadgetStream

Read = Callable[[str], list[GadgetCall]]


@pytest.fixture
def calls_in() -> Read:
    """Reads the calls of a response, and fails the test with all its mistakes."""

    def read(response: str) -> list[GadgetCall]:
        found = [f"{finding.code} {finding.message}" for finding in check(response, "gadget")]
        if found:
            pytest.fail("the response has mistakes:\n" + "\n".join(found), pytrace=False)
        stream = GadgetStream()
        return [event.call for event in stream.feed(response) + stream.close() if isinstance(event, CallEnded)]

    return read


def my_agent(question: str) -> str:
    """Stands for yours."""
    return f"One moment.\n!!!GADGET_START:Weather:w1\n!!!ARG:city\n{question.split()[-1]}\n!!!GADGET_END\n"


def test_the_agent_asks_for_the_weather_of_the_city(calls_in: Read) -> None:
    (call,) = calls_in(my_agent("How is the weather in Lisbon"))
    assert (call.name, call.parameters) == ("Weather", {"city": "Lisbon"})
