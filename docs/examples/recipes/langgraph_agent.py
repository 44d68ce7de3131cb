"""An agent as a LangGraph graph: ask the model, run its calls, and begin again until it makes no call.

A response with mistakes is not run. The model gets the errors, twice at most.
"""

from collections.abc import Callable
from typing import Any, TypedDict

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from llmblocks import Severity, feedback, fix
from llmblocks.gadget import CallEnded, Failed, Finished, GadgetStream, Skipped, execute

ATTEMPTS = 2
"""How often the model may repeat a response that has mistakes."""


class State(TypedDict):
    """The conversation, and how many responses in a row had mistakes."""

    messages: list[AnyMessage]
    mistaken: int


def agent(model: BaseChatModel, gadgets: dict[str, Callable[..., Any]]) -> CompiledStateGraph:
    """Return the graph."""

    def ask(state: State) -> State:
        return {**state, "messages": [*state["messages"], model.invoke(state["messages"])]}

    async def act(state: State) -> State:
        response = str(state["messages"][-1].text)
        fixed = fix(response, "gadget")
        if any(finding.severity is Severity.ERROR for finding in fixed.left):
            told = HumanMessage(feedback(response, "gadget"))
            return {"messages": [*state["messages"], told], "mistaken": state["mistaken"] + 1}
        results = []
        async for event in execute(_calls(fixed.text), gadgets):
            match event:
                case Finished(call, result):
                    results.append(f"{call.invocation_id}: {result}")
                case Failed(call, _, error) | Skipped(call, _, error):
                    results.append(f"{call.invocation_id} failed: {error}")
        return {"messages": [*state["messages"], HumanMessage("\n".join(results))], "mistaken": 0}

    def after_answer(state: State) -> str:
        return "act" if _calls(str(state["messages"][-1].text)) else END

    def after_calls(state: State) -> str:
        return "ask" if state["mistaken"] <= ATTEMPTS else END

    graph = StateGraph(State)
    graph.add_node("ask", ask)
    graph.add_node("act", act)
    graph.add_edge(START, "ask")
    graph.add_conditional_edges("ask", after_answer, ["act", END])
    graph.add_conditional_edges("act", after_calls, ["ask", END])
    return graph.compile()


def _calls(response: str) -> list[Any]:
    stream = GadgetStream()
    return [event.call for event in stream.feed(response) + stream.close() if isinstance(event, CallEnded)]
