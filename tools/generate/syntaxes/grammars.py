"""The TextMate grammars: the files of `syntaxes/`."""

from __future__ import annotations

import json

from tools.generate.syntaxes.code import jsonl, python, script
from tools.generate.syntaxes.completion import completion
from tools.generate.syntaxes.gadget import gadget
from tools.generate.syntaxes.json5 import json5
from tools.generate.syntaxes.markdown import markdown
from tools.generate.syntaxes.request import request
from tools.generate.syntaxes.rule import Rule
from tools.generate.syntaxes.stf import stf
from tools.generate.syntaxes.tags import tags


def grammars() -> dict[str, Rule]:
    """Return every grammar, by the name of its file."""
    return {
        "gadget": gadget(),
        "request": request(),
        "stf": stf(),
        "custom-blocks": tags(),
        "completion": completion(),
        "json5": json5(),
        "markdown": markdown(),
        "script": script(),
        "python": python(),
        "jsonl": jsonl(),
    }


def texts() -> dict[str, str]:
    """Return the text of each file."""
    return {f"syntaxes/{name}.tmLanguage.json": text_of(rules) for name, rules in grammars().items()}


def text_of(rules: Rule) -> str:
    """JSON with one named rule a line: small, and a change shows in the lines it is about."""
    repository = ",\n".join(f"  {json.dumps(name)}: {json.dumps(rule)}" for name, rule in rules["repository"].items())
    head = ",\n".join(f" {json.dumps(key)}: {json.dumps(rules[key])}" for key in rules if key != "repository")
    return f'{{\n{head},\n "repository": {{\n{repository}\n }}\n}}\n'
