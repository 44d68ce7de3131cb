"""The result of a run over a gadget text, in a form in which ours and llmist's can be compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from llmblocks.gadget import ArgDelta, ArgEnded, ArgStarted, CallEnded, CallStarted, Event, GadgetStream, Markers, Text
from llmblocks.gadget.syntax.values import SPACE

Case = dict[str, Any]


@dataclass
class Call:
    """One call: what it was, the joined deltas of each field the first time it was given, the chunk it ended in."""

    facts: dict[str, Any]
    fields: dict[str, str]
    at: int | str


@dataclass
class Outcome:
    """Calls, and the text before, between and after them: one more text than there are calls.

    `text_by_chunk[i]` is how much text, white space left out, was out after chunk i.
    """

    texts: list[str] = field(default_factory=lambda: [""])
    calls: list[Call] = field(default_factory=list)
    text_by_chunk: list[int] = field(default_factory=list)


def markers_of(options: dict[str, Any]) -> Markers:
    default = Markers()
    return Markers(
        start=options.get("startPrefix", default.start),
        end=options.get("endPrefix", default.end),
        arg=options.get("argPrefix", default.arg),
    )


def events_of(chunks: list[str], markers: Markers | None = None) -> list[tuple[int | str, Event]]:
    stream = GadgetStream(markers)
    found: list[tuple[int | str, Event]] = []
    for place, chunk in enumerate(chunks):
        found += [(place, event) for event in stream.feed(chunk)]
    return found + [("end", event) for event in stream.close()]


def ours(case: Case) -> Outcome:
    """Run our stream.

    An unfinished header that became text again stands apart from white space before it, which llmist would drop.
    """
    markers = markers_of(case["options"])
    outcome = Outcome()
    fields: dict[str, str] = {}
    repeated: set[str] = set()
    open_fields: list[str] = []
    written = 0
    place: int | str = 0
    for place, event in events_of(case["chunks"], markers):
        before = place if isinstance(place, int) else len(case["chunks"])
        outcome.text_by_chunk += [written] * (before - len(outcome.text_by_chunk))
        match event:
            case Text(text):
                assert text
                outcome.texts[-1] += text
                written += visible(text)
            case CallStarted():
                fields, repeated = {}, set()
            case ArgStarted(pointer):
                assert not open_fields
                open_fields.append(pointer)
                if pointer in fields:
                    repeated.add(pointer)
                else:
                    fields[pointer] = ""
            case ArgDelta(pointer, delta):
                assert open_fields == [pointer]
                assert delta
                if pointer not in repeated:
                    fields[pointer] += delta
            case ArgEnded(pointer):
                assert open_fields.pop() == pointer
            case CallEnded(call):
                facts = {
                    "gadgetName": call.name,
                    "invocationId": call.invocation_id,
                    "parametersRaw": call.parameters_raw,
                    "parameters": as_float(call.parameters),
                    "parseError": call.error,
                    "dependencies": list(call.dependencies),
                    "errorKind": call.error_kind,
                }
                outcome.calls.append(Call(facts, dict(fields), place))
                outcome.texts.append("")
    outcome.text_by_chunk += [written] * (len(case["chunks"]) - len(outcome.text_by_chunk))
    last = outcome.texts[-1]
    header = last.find(markers.start)
    if header > 0 and not last[:header].strip(SPACE):
        outcome.texts[-1] = last[header:]
    outcome.texts = [text if text.strip(SPACE) else "" for text in outcome.texts]
    return outcome


def theirs(case: Case, result: dict[str, Any]) -> Outcome:
    outcome = Outcome()
    fields: dict[str, str] = {}
    done: set[str] = set()
    written = 0
    for place, event in zip(result["at"], result["events"], strict=True):
        before = place if isinstance(place, int) else len(case["chunks"])
        outcome.text_by_chunk += [written] * (before - len(outcome.text_by_chunk))
        if event["type"] == "text":
            outcome.texts[-1] += event["content"]
            written += visible(event["content"])
        elif event["type"] == "gadget_args_partial":
            pointer = event["fieldPath"]
            if pointer not in done:
                fields[pointer] = fields.get(pointer, "") + event["delta"]
            if event["isFieldComplete"]:
                done.add(pointer)
        else:
            facts = {name: event["call"][name] for name in FACTS}
            facts["parameters"] = as_float(facts["parameters"])
            outcome.calls.append(Call(facts, fields, place))
            outcome.texts.append("")
            fields, done = {}, set()
    outcome.text_by_chunk += [written] * (len(case["chunks"]) - len(outcome.text_by_chunk))
    return outcome


FACTS = ("gadgetName", "invocationId", "parametersRaw", "parameters", "parseError", "dependencies", "errorKind")


def differences(case: Case, result: dict[str, Any]) -> list[str]:
    """Describe the differences from llmist; `result` is llmist's output without repeated text."""
    mine, other = ours(case), theirs(case, result)
    found = [] if mine.texts == other.texts else [f"texts {mine.texts!r}, not {other.texts!r}"]
    if len(mine.calls) != len(other.calls):
        return [*found, f"{len(mine.calls)} calls, not {len(other.calls)}"]
    for number, (a, b) in enumerate(zip(mine.calls, other.calls, strict=True)):
        for name in FACTS:
            if name == "parseError" and a.facts["errorKind"] == b.facts["errorKind"] == "scalar_parent":
                continue  # V8's wording, which is not a part of llmist
            if a.facts[name] != b.facts[name]:
                found.append(f"call {number}: {name} {a.facts[name]!r}, not {b.facts[name]!r}")
        for pointer, value in b.fields.items():
            if a.fields.get(pointer) != value:
                found.append(f"call {number}: deltas of {pointer} {a.fields.get(pointer)!r}, not {value!r}")
        if a.at != b.at:
            found.append(f"call {number}: ended in chunk {a.at}, not {b.at}")
    late = [i for i, (a, b) in enumerate(zip(mine.text_by_chunk, other.text_by_chunk, strict=True)) if a < b]
    return [*found, f"text later than llmist's after chunk {late[0]}"] if late else found


def visible(text: str) -> int:
    return sum(1 for char in text if char not in SPACE)


def as_float(value: Any) -> Any:
    """JavaScript has one kind of number; rounding to float64 decides whether two are equal."""
    if isinstance(value, dict):
        return {name: as_float(item) for name, item in value.items()}
    if isinstance(value, list):
        return [as_float(item) for item in value]
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
