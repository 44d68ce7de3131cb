"""Answers the cases of docs/conformance as others read them: `conformance.py llmist|transformers|sglang`.

Lines of JSON in and out, as `llmblocks conformance` has them. It runs the other files of this folder.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from environments import GROUPS, Peer, environment
from llmblocks.completions import CompletedMessage, find_template

OPTIONS = {"transformers": [], "sglang": ["--no-deps"]}


def by_llmist() -> Callable[[dict[str, Any]], Any]:
    peer = Peer("node", "llmist.mjs")

    def answer(case: dict[str, Any]) -> Any:
        if case["language"] != "gadget":
            return None
        markers = case["settings"].get("gadget", {}).get("markers", {})
        options = {f"{key}Prefix": each for key, each in markers.items()}
        items: list[dict[str, Any]] = []
        for event in peer.ask(chunks=case["chunks"], options=options)["events"]:
            if event["type"] == "text":
                if items and items[-1]["type"] == "text":
                    items[-1]["text"] += event["content"]
                else:
                    items.append({"type": "text", "text": event["content"]})
            elif event["type"] == "gadget_call":
                call = event["call"]
                items.append(
                    {
                        "type": "call",
                        "name": call["gadgetName"],
                        "id": call["invocationId"],
                        "dependencies": call["dependencies"],
                        "parameters": None if call["parseError"] else call["parameters"],
                        "error": call["parseError"],
                        "errorKind": call["errorKind"],
                    }
                )
        return {"items": items}

    return answer


def by_parser(name: str) -> Callable[[dict[str, Any]], Any]:
    peer = Peer(environment(name, [*OPTIONS[name], *GROUPS[name]]), "transformers_run.py", name)

    def answer(case: dict[str, Any]) -> Any:
        if case["language"] != "completion":
            return None
        template = find_template(case["settings"].get("completion", {}).get("template", "hermes")).template
        text = "".join(case["chunks"])
        (found,) = peer.ask(template=template.value, prefix="", text=text, sizes=[0], tools=[])
        return CompletedMessage(found["message"], (), ()).openai() if "message" in found else {"error": found["error"]}

    return answer


def main(name: str) -> None:
    answer = by_llmist() if name == "llmist" else by_parser(name)
    for line in sys.stdin:
        case = json.loads(line)
        values = answer(case)
        found = {"skip": True} if values is None else {"values": values}
        print(json.dumps({"id": case["id"], **found}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
