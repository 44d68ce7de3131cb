"""`llmblocks grammar`: a grammar under which a model writes only correct calls."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import Final

from llmblocks.cli.arguments import add_output, add_settings, describe, option
from llmblocks.cli.input import template_named
from llmblocks.cli.output import text_output
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import InputError
from llmblocks.grammars.expression import Grammar
from llmblocks.grammars.notation import bnf, lark

_WRITERS: Final[dict[str, Callable[[Grammar], str]]] = {"lark": lark, "ebnf": bnf, "gbnf": bnf}
_DESCRIPTION = """\
Writes a grammar for constrained decoding: a model that is kept to it writes text and calls
of the given tools, and no call that is malformed, of an unknown tool, or with arguments
that its schema refuses. Without --template, it is about gadget calls.

Formats: lark is for llguidance, ebnf for xgrammar, gbnf for llama.cpp.

exit status: 0 written; 1 written, and standard error lists what the grammar does not
enforce or leaves out; 2 there is no grammar
"""
_EXAMPLES = """\
  llmblocks grammar tools.json --template qwen3-coder > tools.lark
  llmblocks grammar tools.json --template gpt-oss --output-format gbnf
  llmblocks grammar gadgets.json --ids read,write --output-format ebnf
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, _DESCRIPTION, _EXAMPLES)
    default = "(default: those of the settings for *.gadget here, or *.completion)"
    option(parser, "schemas", "FILE", f"a file that defines tools or gadgets {default}", nargs="*")
    what = "a name such as qwen3-coder, or a JSON file (default: gadget calls)"
    option(parser, "--template", "TEMPLATE", f"the response template of the model: {what}")
    says = "for gadget calls: the invocation ids that calls may have, in this order (default: none)"
    option(parser, "--ids", "IDS", says, type=lambda text: text.split(","), default=[])
    add_output(parser, (*_WRITERS,), "lark")
    add_settings(parser)


def main(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    if given.template and given.ids:
        parser.error("--ids cannot be combined with --template")
    is_file = (given.template or "").endswith(".json")
    for name in [*given.schemas, *([given.template] if is_file else [])]:
        if not os.path.isfile(name):
            raise InputError(f"{name}: no such file")
    try:
        found = _grammar(given)
        written = _WRITERS[given.output_format](found)
    except ValueError as error:
        raise InputError(str(error)) from error
    with text_output(given.output_file) as out:
        out.write(written)
    sys.stderr.writelines([f"{note}\n" for note in found.notes])
    return 1 if found.notes else 0


def _grammar(given: argparse.Namespace) -> Grammar:
    schemas = [os.path.abspath(name) for name in given.schemas]
    settings = CommandProject(given.settings, {"gadget": {"schemas": {"**": schemas}}} if schemas else None)
    found = settings.valid_settings_for("a.gadget" if given.template is None else "a.completion")
    if given.template is None:
        from llmblocks.gadget.grammar import grammar_of

        return grammar_of(found.gadgets, found.markers, given.ids)
    from llmblocks.completions.grammar import grammar_of as grammar_of_template
    from llmblocks.completions.shipped import template_called

    template = template_called(template_named(given.template))
    return grammar_of_template(template, {gadget.name: gadget.parameters for gadget in found.gadgets})
