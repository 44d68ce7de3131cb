"""The result of a run over a gadget text, in a form in which ours and llmist's can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from llmblocks.gadget import ArgDelta, ArgEnded, ArgStarted, CallEnded, Event, GadgetStream, Markers, Text
from llmblocks.gadget.syntax.values import SPACE

Case = dict[str, Any]
Step = tuple[int | str, tuple[Any, ...]]
"""The chunk, and a text, a piece of an argument (pointer, delta, whether it is the last), or the facts of a call."""
FACTS = ("gadgetName", "invocationId", "parametersRaw", "parameters", "parseError", "dependencies", "errorKind")


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


def outcome_of(case: Case, steps: Iterable[Step]) -> Outcome:
    outcome, size = Outcome(), len(case["chunks"])
    fields: dict[str, str] = {}
    done: set[str] = set()
    written = 0
    for place, event in [*steps, (size, ("",))]:
        outcome.text_by_chunk += [written] * ((size if place == "end" else place) - len(outcome.text_by_chunk))  # type: ignore[operator]
        match event:
            case (str(text),):
                outcome.texts[-1] += text
                written += sum(1 for char in text if char not in SPACE)
            case (pointer, delta, is_last):
                if pointer not in done:
                    fields[pointer] = fields.get(pointer, "") + delta
                done |= {pointer} if is_last else set()
            case (facts,):
                outcome.calls.append(Call({**facts, "parameters": as_float(facts["parameters"])}, fields, place))
                outcome.texts.append("")
                fields, done = {}, set()
    return outcome


def markers_of(options: dict[str, Any]) -> Markers:
    names = {"startPrefix": "start", "endPrefix": "end", "argPrefix": "arg"}
    return Markers(**{names[name]: text for name, text in options.items() if name in names})


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
    outcome = outcome_of(case, our_steps(case["chunks"], markers))
    last = outcome.texts[-1]
    header = last.find(markers.start)
    if header > 0 and not last[:header].strip(SPACE):
        outcome.texts[-1] = last[header:]
    outcome.texts = [text if text.strip(SPACE) else "" for text in outcome.texts]
    return outcome


def our_steps(chunks: list[str], markers: Markers) -> Iterator[Step]:
    begun = ""
    for place, event in events_of(chunks, markers):
        match event:
            case Text(text):
                assert text
                yield place, (text,)
            case ArgStarted(pointer) | ArgEnded(pointer):
                assert begun == ("" if isinstance(event, ArgStarted) else pointer)
                yield place, (pointer, "", bool(begun))
                begun = "" if begun else pointer
            case ArgDelta(pointer, delta):
                assert (begun, bool(delta)) == (pointer, True)
                yield place, (pointer, delta, False)
            case CallEnded(call):
                values = (call.name, call.invocation_id, call.parameters_raw, call.parameters, call.error)
                facts = (*values, [*call.dependencies], call.error_kind)
                yield place, (dict(zip(FACTS, facts, strict=True)),)


def their_steps(result: dict[str, Any]) -> Iterator[Step]:
    for place, event in zip(result["at"], result["events"], strict=True):
        if event["type"] == "text":
            yield place, (event["content"],)
        elif event["type"] == "gadget_args_partial":
            yield place, (event["fieldPath"], event["delta"], event["isFieldComplete"])
        else:
            yield place, ({name: event["call"][name] for name in FACTS},)


def differences(case: Case, result: dict[str, Any]) -> list[str]:
    """Describe the differences from llmist; `result` is llmist's output without repeated text."""
    mine, other = ours(case), outcome_of(case, their_steps(result))
    found = [] if mine.texts == other.texts else [f"texts {mine.texts!r}, not {other.texts!r}"]
    if len(mine.calls) != len(other.calls):
        return [*found, f"{len(mine.calls)} calls, not {len(other.calls)}"]
    for number, (a, b) in enumerate(zip(mine.calls, other.calls, strict=True)):
        if a.facts["errorKind"] == b.facts["errorKind"] == "scalar_parent":
            a.facts["parseError"] = b.facts["parseError"]  # V8's wording, which is not a part of llmist
        pairs = [*[(name, a.facts[name], b.facts[name]) for name in FACTS], ("end", a.at, b.at)]
        pairs += [(f"deltas of {pointer}", a.fields.get(pointer), value) for pointer, value in b.fields.items()]
        found += [f"call {number}: {name} {here!r}, not {there!r}" for name, here, there in pairs if here != there]
    late = [i for i, (a, b) in enumerate(zip(mine.text_by_chunk, other.text_by_chunk, strict=True)) if a < b]
    return [*found, f"text later than llmist's after chunk {late[0]}"] if late else found


def as_float(value: Any) -> Any:
    """JavaScript has one kind of number; rounding to float64 decides whether two are equal."""
    if isinstance(value, dict):
        return {name: as_float(item) for name, item in value.items()}
    if isinstance(value, list):
        return [as_float(item) for item in value]
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
