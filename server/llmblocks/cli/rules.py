"""`llmblocks rules`: all rules, as a table or as JSON."""

from __future__ import annotations

import argparse

from llmblocks.cli.explain import add_trust, chosen, import_rules
from llmblocks.cli.options import add_output, option
from llmblocks.cli.output import print_json, text_output
from llmblocks.facts.rule import Rule
from llmblocks.settings.rule_names import BY_CODE

_EXAMPLES = """\
examples:
  llmblocks rules
  llmblocks rules G1 S2 duplicate-pointer
  llmblocks rules --output-format json | jq '.[] | select(.fix) | .code'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = "Lists all rules; `llmblocks explain CODE` explains one.", _EXAMPLES
    option(parser, "rules", "CODE", "a code, a prefix of codes, or the name of a rule (default: all rules)", nargs="*")
    add_trust(parser)
    add_output(parser, ("text", "json"), "text")


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    import_rules(given)
    found, status = chosen(given.rules, "rules") if given.rules else ([*BY_CODE.values()], 0)
    if given.output_format == "json":
        print_json([_as_json(rule) for rule in found], given.output_file)
        return status
    width = max([len(rule.name) for rule in found], default=0)
    with text_output(given.output_file) as out:
        for rule in found:
            fixable = "fix" if rule.fix else ""
            out.write(
                f"{rule.code}  {rule.name:{width}}  {rule.severity.name.lower():11}  {fixable:3}  {rule.summary}\n"
            )
    return status


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
