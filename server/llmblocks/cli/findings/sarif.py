"""Findings as SARIF 2.1.0, which code scanning services read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import quote

from llmblocks import __version__
from llmblocks.cli.findings.listing import write_array
from llmblocks.cli.findings.reported import RelatedPlace, Reported
from llmblocks.cli.repository import paths_from_root
from llmblocks.cli.source import STDIN
from llmblocks.contract.markup import prose
from llmblocks.facts.message import FindingMessage
from llmblocks.facts.severity import Severity
from llmblocks.rules.as_json import Region
from llmblocks.settings.rule_names import BY_CODE, NAMES, page_of

_HOME = "https://github.com/llmblocks/llmblocks"
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = dict(zip(Severity, ("error", "warning", "note", "note"), strict=True))


def write(reported: Iterable[Reported], out: TextIO) -> None:
    """Write one log with one run. The results precede the tool, because only they show which rules there are."""
    codes: dict[str, int] = {}
    unread: list[dict[str, Any]] = []
    head = json.dumps({"$schema": _SCHEMA, "version": "2.1.0"}, indent=2).removesuffix("\n}")
    out.write(f'{head},\n  "runs": [\n    {{\n')
    out.write('      "columnKind": "unicodeCodePoints",\n      "newlineSequences": ["\\r\\n", "\\n", "\\r"],\n')
    out.write('      "results": ')
    write_array(_results(reported, codes, unread), out, "      ")
    invocation = {"executionSuccessful": not unread, "toolExecutionNotifications": unread}
    written = json.dumps([invocation], indent=2).replace("\n", "\n      ")
    out.write(f',\n      "invocations": {written}')
    tool = json.dumps({"driver": _driver(codes)}, indent=2).replace("\n", "\n      ")
    out.write(f',\n      "tool": {tool}\n    }}\n  ]\n}}\n')


def _results(
    reported: Iterable[Reported], codes: dict[str, int], unread: list[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield the findings. Entries without a code go to `unread`."""
    uri = _uris()
    for each in reported:
        if not each.code:
            where = {"physicalLocation": {"artifactLocation": {"uri": uri(each.path)}}}
            unread.append({"level": "error", "message": _message(each.message), "locations": [where]})
            continue
        result: dict[str, Any] = {
            "ruleId": each.code,
            "ruleIndex": codes.setdefault(each.code, len(codes)),
            "level": _LEVELS[each.severity],
            "message": _message(each.message),
            "locations": [_location(uri(each.path), each.span)],
        }
        if each.fingerprint:
            result["baselineState"] = "unchanged" if each.is_known else "new"
            result["partialFingerprints"] = {"llmblocks/v1": each.fingerprint}
        if each.related:
            result["relatedLocations"] = [
                _related(number, place, uri(place.path or each.path)) for number, place in enumerate(each.related, 1)
            ]
        yield result


def _message(message: FindingMessage) -> dict[str, str]:
    """Return the text in lines, and in paragraphs of Markdown."""
    parts = (message.headline, *message.rest)
    return {"text": message.lines, "markdown": "\n\n".join(map(prose, parts))}


def _related(number: int, place: RelatedPlace, uri: str) -> dict[str, Any]:
    return {"id": number, **_location(uri, place.span), "message": {"text": place.message}}


def _location(uri: str, span: Region) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": uri},
            "region": {
                "startLine": span.line,
                "startColumn": span.column,
                "endLine": span.end_line,
                "endColumn": span.end_column,
                "charOffset": span.start,
                "charLength": span.end - span.start,
            },
        }
    }


def _uris() -> Callable[[str], str]:
    """Return the mapping of file paths to references for services: from the root of their repository, or absolute."""
    path_from_root = paths_from_root()

    def uri(path: str) -> str:
        if path == STDIN:
            return "stdin"
        found = path_from_root(path)
        return Path(found).as_uri() if os.path.isabs(found) else quote(os.fsencode(found))

    return uri


def _driver(codes: Iterable[str]) -> dict[str, Any]:
    return {
        "name": "llmblocks",
        "version": __version__,
        "informationUri": _HOME,
        "rules": [_rule(code) for code in codes],
    }


def _rule(code: str) -> dict[str, Any]:
    described: dict[str, Any] = {"id": code, "name": NAMES.get(code, code)}
    rule = BY_CODE.get(code)
    if rule is not None:
        described["shortDescription"] = {"text": rule.summary}
        described["fullDescription"] = {"text": rule.why}
        described["help"] = {"text": " ".join(filter(None, (rule.summary, rule.why, rule.remedy)))}
        described["defaultConfiguration"] = {"level": _LEVELS[rule.severity]}
        if page := page_of(code):
            described["helpUri"] = page
    return described
