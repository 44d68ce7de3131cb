"""`llmblocks rules`: all rules, as a table or as JSON."""

from __future__ import annotations

import argparse
import sys

from llmblocks.cli.as_json import print_json
from llmblocks.cli.explain import RULES
from llmblocks.rules.rule import Rule

_EXAMPLES = """\
examples:
  llmblocks rules
  llmblocks rules G1 S2               rules by the beginnings of their codes
  llmblocks rules --json | jq '.[] | select(.fix) | .code'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.description, parser.epilog = "Lists all rules; `llmblocks explain CODE` explains one.", _EXAMPLES
    parser.add_argument("prefixes", nargs="*", metavar="PREFIX", help="the beginning of a code (default: all rules)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    """Run the command."""
    prefixes = tuple([each.upper() for each in given.prefixes]) or ("",)
    found = [rule for rule in RULES if rule.code.startswith(prefixes)]
    if not found:
        sys.stderr.write(f"llmblocks rules: no rule begins with {', '.join(given.prefixes)}\n")
        return 2
    if given.json:
        print_json([_as_json(rule) for rule in found])
    else:
        width = max(len(rule.name) for rule in found)
        for rule in found:
            fixable = "fix" if rule.fix else ""
            sys.stdout.write(
                f"{rule.code}  {rule.name:{width}}  {rule.severity.name.lower():11}  {fixable:3}  {rule.summary}\n"
            )
    return 0


def _as_json(rule: Rule) -> dict[str, object]:
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.name.lower(),
        "format": rule.layer,
        "summary": rule.summary,
        "why": rule.why,
        "fix": rule.remedy or None,
    }
