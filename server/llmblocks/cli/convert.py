"""`llmblocks convert`: chats and single messages between our formats, OpenAI, Anthropic, JSON and NDJSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from llmblocks import stf
from llmblocks.cli.arguments import add_output, add_settings, describe, flag, option
from llmblocks.cli.files import read
from llmblocks.cli.input import add_template, with_template
from llmblocks.cli.output import is_same, spare, write_output
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import STDIN, InputError, SourceFile
from llmblocks.completions.message import parse
from llmblocks.completions.shipped import template_called
from llmblocks.completions.writing import write
from llmblocks.gadget.stream import read_calls
from llmblocks.gadget.writing import RenderError, render
from llmblocks.settings.values import DEFAULTS, Settings
from llmblocks.stf import Converted, Loss, Message, ToolCall, Transcript
from llmblocks.stf.writing import load_json

_ASSISTANT = "assistant"


class _Call(NamedTuple):
    """A call for `render`."""

    name: str
    invocation_id: str
    parameters: Any
    dependencies: tuple[str, ...] = ()


def from_completion(text: str, settings: Settings) -> Converted[Transcript]:
    """Return the message in a raw completion. Lost: everything with a finding."""
    message = parse(text, template_called(settings.template))
    asked = [(each["function"], each["id"]) for each in message.tool_calls]
    calls = [ToolCall(function["name"], function["arguments"], one) for function, one in asked]
    lines = [(text.count("\n", 0, max(each.start, 0)) + 1, each) for each in message.findings]
    lost = [Loss(f"line {line}", f"{each.code} {each.message}") for line, each in lines]
    return Converted(_chat(message.content or "", message.reasoning, calls), (*lost,))


def to_completion(transcript: Transcript, settings: Settings) -> Converted[str]:
    """Return the last message of the assistant as a model would write it; raise `ValueError` without one."""
    message, content, lost = _last(transcript, "a completion")
    reasoning = message.reasoning if isinstance(message.reasoning, str) else None
    calls = [(each.name, _arguments(each)) for each in message.tool_calls or ()]
    written = write(content or None, reasoning, calls, template_called(settings.template))
    why = "the text, read again, does not give it back"
    return Converted(f"{written.text}\n", (*lost, *[Loss(each, why) for each in written.lost]))


def from_gadgets(text: str, settings: Settings) -> Converted[Transcript]:
    """Return the message in a response with gadget calls. Lost: calls that llmist rejects, and dependencies."""
    found, _, free = read_calls(text, settings.markers)
    calls, lost = list[ToolCall](), list[Loss]()
    for call in found:
        if call.parameters is None:
            lost.append(Loss(call.invocation_id, f"{call.error}: the call is left out"))
            continue
        calls.append(ToolCall(call.name, json.dumps(call.parameters, ensure_ascii=False), call.invocation_id))
        if call.dependencies:
            lost.append(Loss(call.invocation_id, f"no chat says that a call waits for {', '.join(call.dependencies)}"))
    return Converted(_chat(free.strip(), None, calls), (*lost,))


def to_gadgets(transcript: Transcript, settings: Settings) -> Converted[str]:
    """Return the last message of the assistant with gadget calls; raise `ValueError` without one."""
    message, content, lost = _last(transcript, "a response")
    parts = [f"{content}\n"] if content else []
    if message.reasoning is not None:
        lost.append(Loss("reasoning", "a response has no place for it: it is left out"))
    for number, call in enumerate(message.tool_calls or ()):
        try:
            parts.append(
                render(_Call(call.name, call.id or f"call_{number + 1}", _arguments(call)), markers=settings.markers)
            )
        except (RenderError, ValueError, TypeError) as error:
            lost.append(Loss(f"tool_calls[{number}]", f"{error}: the call is left out"))
    return Converted("".join(parts), (*lost,))


def _chat(content: str, reasoning: str | None, calls: Sequence[ToolCall]) -> Transcript:
    return Transcript([Message(_ASSISTANT, content, reasoning=reasoning, tool_calls=[*calls] or None)])


def _arguments(call: ToolCall) -> Any:
    """Return the arguments of a call, or their text if it is not JSON."""
    try:
        return json.loads(call.arguments)
    except (ValueError, RecursionError):
        return call.arguments


def _last(transcript: Transcript, name: str) -> tuple[Message, str, list[Loss]]:
    """Return the last message of the assistant, its text, and the losses of the chat around it."""
    last = next((each for each in reversed(transcript.messages) if each.role == _ASSISTANT), None)
    if last is None:
        raise ValueError("the chat has no message of the assistant")
    lost = [
        Loss(f"messages[{number}]", f"{name} is one message: it is left out")
        for number, each in enumerate(transcript.messages)
        if each is not last
    ]
    if isinstance(last.content, str):
        return last, last.content, lost
    texts = [getattr(part, "text", None) for part in last.content]
    lost += [Loss(f"content[{number}]", "it is not text") for number, text in enumerate(texts) if text is None]
    return last, "".join(filter(None, texts)), lost


_DESCRIPTION = """\
Converts a chat, and lists on standard error what the result cannot represent.

exit status: 0 nothing was lost; 1 something was, or the chat has mistakes; 2 the
chat could not be converted, or with --lossless would have lost something
"""
_EXAMPLES = """\
  llmblocks convert chat.stf --to openai > messages.json
  llmblocks convert chat.json --from anthropic --to stf --output-file chat.stf
  llmblocks convert chat.stf --to stf-semicolon --lossless
  llmblocks convert answer.completion --to openai --template qwen3-coder
  llmblocks convert chat.stf --to completion --template gpt-oss
"""
_SUFFIXES = {".json": "json", ".ndjson": "ndjson", ".jsonl": "ndjson"}


_READERS: dict[str, Callable[[str, Settings], Converted[Transcript]]] = {
    "stf": lambda text, settings: decoded(text, settings),
    "openai": lambda text, _: stf.from_openai(_loaded(text)),
    "anthropic": lambda text, _: stf.from_anthropic(_loaded(text)),
    "json": lambda text, _: Converted(stf.from_json(text), ()),
    "ndjson": lambda text, _: Converted(stf.from_ndjson(text), ()),
    "gadget": from_gadgets,
    "completion": from_completion,
}
_WRITERS: dict[str, Callable[[Transcript, Settings], Converted[str]]] = {
    "stf": lambda transcript, _: Converted(stf.encode(transcript), ()),
    "stf-semicolon": lambda transcript, _: Converted(stf.encode(transcript, dialect=";"), ()),
    "openai": lambda transcript, _: _as_json(stf.to_openai(transcript)),
    "anthropic": lambda transcript, _: _as_json(stf.to_anthropic(transcript)),
    "json": lambda transcript, _: _as_json(stf.to_json(transcript)),
    "ndjson": lambda transcript, _: stf.to_ndjson(transcript),
    "gadget": to_gadgets,
    "completion": to_completion,
}


Format = Literal["stf", "stf-semicolon", "openai", "anthropic", "json", "ndjson", "gadget", "completion"]
"""The formats of chats. A chat in either dialect of Simple Text Format is read as `stf`."""
_OTHER_JSON = "; if this is a request to a service, pass --from openai or --from anthropic"


def converted(text: str, source: str, target: str, settings: Settings = DEFAULTS) -> Converted[str]:
    """Convert a chat to another format; raise `ValueError` or `TypeError` with the reason if that is impossible."""
    found = _READERS["stf" if source == "stf-semicolon" else source](text, settings)
    written = _WRITERS[target](found.value, settings)
    return Converted(written.value, (*found.lost, *written.lost))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, _DESCRIPTION, _EXAMPLES)
    option(parser, "file", "FILE", "a file, or - for standard input")
    of_file = f"the format of the file: {', '.join(_READERS)} (default: by its name)"
    option(parser, "--from", "FORMAT", of_file, dest="source", choices=_READERS)
    of_result = f"the format of the result: {', '.join(_WRITERS)}"
    option(parser, "--to", "FORMAT", of_result, dest="target", choices=_WRITERS, required=True)
    flag(add_output(parser), "--lossless", "write nothing if anything would be lost")
    add_template(parser)
    add_settings(parser)


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    project = CommandProject(given.settings, with_template(given))
    settings = project.valid_settings_for(given.file)
    text = read(SourceFile(given.file, "stf"), settings.max_size_mb)
    source = given.source or _format_of(given.file, project)
    try:
        found = converted(text, source, given.target, settings)
    except (ValueError, TypeError) as error:
        guessed = source == "json" and not given.source
        raise InputError(f"{given.file}: {error}{_OTHER_JSON if guessed else ''}") from error
    lost = found.lost
    for each in lost:
        sys.stderr.write(f"{given.file}: lost: {each.path}: {each.message}\n")
    if lost and given.lossless:
        raise InputError("nothing written: --lossless allows no losses")
    if lost and given.output_file and is_same(given.file, given.output_file):
        raise InputError(
            f"{given.output_file}: not written: what is lost would be lost for good; give --output-file another name"
        )
    if given.output_file:
        spare(project.files(), given.output_file)
    write_output(found.value, given.output_file)
    return 1 if lost else 0


def _format_of(name: str, project: CommandProject) -> str:
    if (language := project.language_of(name)) in _READERS:
        return language
    for suffix, found in _SUFFIXES.items():
        if name.lower().endswith(suffix):
            return found
    reason = "standard input has no name" if name == STDIN else f"{name}: cannot tell the format from the name"
    raise InputError(f"{reason}; pass --from with {', '.join(_READERS)}")


def decoded(text: str, settings: Settings) -> Converted[Transcript]:
    """Return the chat in a text. Lost: parts with mistakes."""
    transcript = stf.decode(text, dialect=settings.dialect, default_role=settings.default_role or None)
    lost = [stf.Loss(f"line {each.line}", f"{each.code} {each.message}") for each in transcript.findings]
    return Converted(transcript, (*lost,))


def _loaded(text: str) -> Any:
    found = load_json(text)
    if not isinstance(found, list | dict):
        raise ValueError("expected a list of messages, or a request that has one")
    return found


def _as_json(found: Converted[Any]) -> Converted[str]:
    text = found.value if isinstance(found.value, str) else json.dumps(found.value, indent=2)
    return Converted(f"{text}\n", found.lost)
