"""`llmblocks conformance`: the score of an implementation of the formats, by published cases."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from llmblocks.cli.arguments import add_output, describe, flag, option
from llmblocks.cli.output import print_json, text_output
from llmblocks.cli.source import InputError
from llmblocks.contract.markup import shortened
from llmblocks.features.streams import LanguageStream, values
from llmblocks.json5.finite import finite
from llmblocks.languages.registry import find_language, language_ids
from llmblocks.rules.check import check
from llmblocks.settings.check import check_settings

ASPECTS: Final = ("values", "events", "problems")
_OUTCOMES: Final = ("same", "different", "skipped", "failed")
_SHOWN: Final = 5
_LONGEST: Final = 300
_DESCRIPTION = """\
Runs the cases of docs/conformance against another implementation, and counts those with the
same result. The command is started once. It gets a line of JSON for each case on standard
input, and answers with a line of JSON: {"id": …, "values": …}, with "events" and "problems"
if it has these, or {"id": …, "skip": true}. Without --command, it is our implementation.

exit status: 0 no case differs; 1 some do, or failed; 2 the cases or the command cannot be
read or started
"""
_EXAMPLES = """\
  llmblocks conformance gadget.jsonl --command "node my-parser.mjs"
  llmblocks conformance *.jsonl --command ./parser --output-format json
"""
Case = Mapping[str, Any]


class Judged(NamedTuple):
    """The result of a case. `why` is the difference, or the reason for a failure."""

    id: str
    language: str
    outcome: str
    why: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, _DESCRIPTION, _EXAMPLES)
    option(parser, "cases", "FILE", "a file of cases, such as docs/conformance/v1/gadget.jsonl", nargs="+")
    option(parser, "--command", "COMMAND", "the command that starts the implementation", dest="run")
    flag(parser, "--without-text", "compare no text between calls and blocks")
    add_output(parser, ("text", "json"), "text")


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    cases = [_without_text(case) if given.without_text else case for name in given.cases for case in _cases(name)]
    if given.run is None:
        found = [judged(case, answer(case), without_text=given.without_text) for case in cases]
    else:
        found = [*_judged_by(given.run, cases, without_text=given.without_text)]
    if given.output_format == "json":
        print_json([each._asdict() for each in found], given.output_file)
    else:
        with text_output(given.output_file) as out:
            out.writelines(_report(found))
    return int(any(each.outcome in ("different", "failed") for each in found))


def answer(case: Case) -> dict[str, Any]:
    """Return our result for a case: the values, the events of each chunk and of the end, and the problems."""
    language, settings = find_language(case["language"]), check_settings(case["settings"], language_ids()).settings
    text = "".join(case["chunks"])
    stream = LanguageStream(language, settings)
    events = [[event.as_json() for event in stream.feed(chunk)] for chunk in case["chunks"]]
    found = {
        "values": values(text, language, settings),
        "events": [*events, [event.as_json() for event in stream.close()]],
        "problems": [
            {"code": each.code, "start": each.start, "end": each.end} for each in check(text, language.id, settings)
        ],
    }
    # as it comes back from JSON: lists, and no numbers that JSON does not have
    return {"id": case["id"], **json.loads(json.dumps(finite(found)))}


def judged(case: Case, given: Any, *, without_text: bool = False) -> Judged:
    """Compare an answer with a case."""
    identity, language = case["id"], case["language"]
    if not isinstance(given, dict) or given.get("id") != identity:
        return _failed(case, f"the answer is not an object with the id {identity!r}")
    if given.get("skip"):
        return Judged(identity, language, "skipped")
    if "values" not in given:
        return _failed(case, "the answer has no `values`")
    if without_text:
        given = _without_text(given)
    for aspect in ASPECTS:
        if aspect in given and given[aspect] != case[aspect]:
            why = f"{aspect}: {_short(given[aspect])}, not {_short(case[aspect])}"
            return Judged(identity, language, "different", why)
    return Judged(identity, language, "same")


def _failed(case: Case, why: str) -> Judged:
    return Judged(case["id"], case["language"], "failed", why)


def _judged_by(run: str, cases: Sequence[Case], *, without_text: bool) -> Iterator[Judged]:
    """Yield the results of an implementation. It starts again after a case that it did not answer."""
    try:
        # Windows has programs split their command line themselves
        command = run if os.name == "nt" else shlex.split(run)
    except ValueError as error:
        raise InputError(f"--command: {error}") from error
    while cases:
        given = [{key: each for key, each in case.items() if key not in ASPECTS} for case in cases]
        lines = "".join([f"{json.dumps(each)}\n" for each in given]).encode()
        try:
            done = subprocess.run(command, input=lines, stdout=subprocess.PIPE, check=False)
        except (OSError, ValueError, IndexError) as error:
            raise InputError(f"the command cannot be started: {error}") from error
        answers = [line for line in done.stdout.decode("utf-8", "replace").split("\n") if line.strip()]
        for case, line in zip(cases, answers, strict=False):
            try:
                yield judged(case, json.loads(line), without_text=without_text)
            except (ValueError, RecursionError):
                yield _failed(case, f"the answer is not JSON: {_short(line)}")
        if len(answers) < len(cases):
            yield _failed(cases[len(answers)], f"the command ended with status {done.returncode}")
        cases = cases[len(answers) + 1 :]


def _without_text(found: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a case or an answer without the text between calls and blocks."""
    given = found.get("values")
    if not isinstance(given, dict) or not isinstance(given.get("items"), list):
        return found
    items = [each for each in given["items"] if not isinstance(each, dict) or each.get("type") != "text"]
    return {**found, "values": {"items": items}}


def _cases(name: str) -> Iterator[Case]:
    """Yield the cases of a file. Raises `InputError` for any other file."""
    wanted = {"id": str, "language": str, "chunks": list, "settings": dict}
    try:
        with open(name, encoding="utf-8", newline="\n") as file:
            for place, line in enumerate(file, 1):
                case = json.loads(line)
                wrong = [key for key, kind in wanted.items() if not isinstance(case.get(key), kind)]
                wrong += [aspect for aspect in ASPECTS if aspect not in case]
                if wrong or case["language"] not in language_ids():
                    raise InputError(f"{name}:{place}: not a case: {[*wrong, 'language'][0]} is missing or wrong")
                yield case
    except (ValueError, AttributeError, RecursionError) as error:
        raise InputError(f"{name}: not a file of cases: {error}") from error


def _report(found: list[Judged]) -> Iterator[str]:
    yield f"{'':16}{'cases':>7}{''.join([f'{each:>11}' for each in _OUTCOMES])}\n"
    for language in dict.fromkeys([each.language for each in found]):
        counts = Counter([each.outcome for each in found if each.language == language])
        numbers = "".join([f"{counts[each]:>11}" for each in _OUTCOMES])
        yield f"{language:16}{sum(counts.values()):>7}{numbers}\n"
    wrong = [each for each in found if each.why]
    for each in wrong[:_SHOWN]:
        yield f"\n{each.id}: {each.outcome}: {each.why}\n"
    if len(wrong) > _SHOWN:
        yield f"\n{len(wrong) - _SHOWN} more; --output-format json lists all\n"


def _short(value: object) -> str:
    return shortened(value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False), _LONGEST)
