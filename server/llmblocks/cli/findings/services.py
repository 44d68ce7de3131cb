"""Findings for programs: JSON, SARIF 2.1.0, and the reports of GitHub, GitLab and JUnit."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import quote
from xml.etree import ElementTree as Xml

from llmblocks import __version__
from llmblocks.cli.findings.reported import Reported
from llmblocks.cli.source import STDIN, paths_from_root
from llmblocks.contract.markup import prose
from llmblocks.core.lines import visible
from llmblocks.facts.message import FindingMessage
from llmblocks.facts.severity import Severity
from llmblocks.rules.check import Region
from llmblocks.settings.rule_names import BY_CODE, NAMES, page_of

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_OF_SARIF = dict(zip(Severity, ("error", "warning", "note", "note"), strict=True))
_OF_GITHUB = dict(zip(Severity, ("error", "warning", "notice", "notice"), strict=True))
_OF_GITLAB = dict(zip(Severity, ("major", "minor", "info", "info"), strict=True))
# not in XML, in no spelling
_NEVER = re.compile("[\ud800-\udfff\ufffe\uffff]")


def write_json(reported: Iterable[Reported], out: TextIO) -> None:
    """Write one array of findings, as from `llmblocks.findings_as_json`, with the page of each rule and the fix.

    Each finding is written at once.
    """
    between = "["
    for each in reported:
        lines = json.dumps(_as_json(each), indent=2).replace("\n", "\n  ")
        out.write(f"{between}\n  {lines}")
        between = ","
    out.write("[]\n" if between == "[" else "\n]\n")


def write_jsonl(reported: Iterable[Reported], out: TextIO) -> None:
    """Write a line with an object for each finding, at once."""
    for each in reported:
        out.write(f"{json.dumps(_as_json(each))}\n")


def _write(value: Any, out: TextIO) -> None:
    # ASCII, which is valid JSON in any encoding
    out.write(f"{json.dumps(value, indent=2)}\n")


def _as_json(reported: Reported) -> dict[str, Any]:
    related = [
        {**({} if each.path is None else {"path": each.path}), **each.span.as_json(), "message": each.message}
        for each in reported.related
    ]
    fix = None
    if (remedy := reported.remedy) is not None:
        edits = [{**span.as_json(), "text": text} for span, text in remedy.edits]
        fix = {"title": remedy.title, "safe": remedy.safe, "edits": edits}
    return {
        "path": reported.path,
        "language": reported.language_id,
        **reported.span.as_json(),
        "code": reported.code or None,
        "name": NAMES.get(reported.code),
        "severity": reported.severity.name.lower(),
        "message": str(reported.message),
        **reported.message._asdict(),
        "related": related,
        "url": page_of(reported.code) or None if reported.code else None,
        "fix": fix,
    }


def write_sarif(reported: Iterable[Reported], out: TextIO) -> None:
    """Write one log with one run. Entries without a code are notifications."""
    uri, codes = _uris(), dict[str, int]()
    unread, results = list[dict[str, Any]](), list[dict[str, Any]]()
    for each in reported:
        if each.code:
            results.append(_result(each, codes.setdefault(each.code, len(codes)), uri))
        else:
            where = {"physicalLocation": {"artifactLocation": {"uri": uri(each.path)}}}
            unread.append({"level": "error", "message": _message(each.message), "locations": [where]})
    driver = {
        "name": "llmblocks",
        "version": __version__,
        "informationUri": "https://github.com/llmblocks/llmblocks",
        "rules": [*map(_rule, codes)],
    }
    run = {
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "results": results,
        "invocations": [{"executionSuccessful": not unread, "toolExecutionNotifications": unread}],
        "tool": {"driver": driver},
    }
    _write({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, out)


def _result(each: Reported, rule: int, uri: Callable[[str], str]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": each.code,
        "ruleIndex": rule,
        "level": _OF_SARIF[each.severity],
        "message": _message(each.message),
        "locations": [_location(uri(each.path), each.span)],
    }
    if each.fingerprint:
        result["baselineState"] = "unchanged" if each.is_known else "new"
        result["partialFingerprints"] = {"llmblocks/v1": each.fingerprint}
    if each.related:
        result["relatedLocations"] = [
            {"id": number, **_location(uri(place.path or each.path), place.span), "message": {"text": place.message}}
            for number, place in enumerate(each.related, 1)
        ]
    return result


def _message(message: FindingMessage) -> dict[str, str]:
    """Return the text in lines, and in paragraphs of Markdown."""
    return {"text": message.lines, "markdown": "\n\n".join(map(prose, (message.headline, *message.rest)))}


def _location(uri: str, span: Region) -> dict[str, Any]:
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
        "charOffset": span.start,
        "charLength": span.end - span.start,
    }
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


def _uris() -> Callable[[str], str]:
    """Return the mapping of file paths to references for services: from the root of their repository, or absolute."""
    path_from_root = paths_from_root()

    def uri(path: str) -> str:
        if path == STDIN:
            return "stdin"
        found = path_from_root(path)
        return Path(found).as_uri() if os.path.isabs(found) else quote(os.fsencode(found))

    return uri


def _rule(code: str) -> dict[str, Any]:
    described: dict[str, Any] = {"id": code, "name": NAMES.get(code, code)}
    if (rule := BY_CODE.get(code)) is not None:
        described["shortDescription"] = {"text": rule.summary}
        described["fullDescription"] = {"text": rule.why}
        described["help"] = {"text": " ".join(filter(None, (rule.summary, rule.why, rule.remedy)))}
        described["defaultConfiguration"] = {"level": _OF_SARIF[rule.severity]}
        if page := page_of(code):
            described["helpUri"] = page
    return described


def write_github(reported: Iterable[Reported], out: TextIO) -> None:
    """Write workflow commands of GitHub Actions, which annotate the lines of a pull request."""
    path_from_root = paths_from_root()
    for each in reported:
        span = each.span
        properties = {
            "file": path_from_root(each.path),
            "line": span.line,
            "col": span.column,
            "endLine": span.end_line,
            "endColumn": span.end_column,
            "title": f"{each.code} {NAMES.get(each.code, '')}".strip() or "not checked",
        }
        named = {name: _escaped(str(value)) for name, value in properties.items()}
        listed = ",".join(f"{name}={value.replace(':', '%3A').replace(',', '%2C')}" for name, value in named.items())
        # the log is shown in a terminal
        text = "\n".join(map(visible, (each.message.headline, *each.message.rest)))
        out.write(f"::{_OF_GITHUB[each.severity]} {listed}::{_escaped(text)}\n")


def _escaped(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def write_gitlab(reported: Iterable[Reported], out: TextIO) -> None:
    """Write the Code Quality report that GitLab reads as the artifact `codequality`."""
    seen, entries, path_from_root = Counter[str](), [], paths_from_root()
    for each in reported:
        path, span = path_from_root(each.path), each.span
        # without the line, so that a finding stays the same when text is added above it
        identity = "\0".join((path, each.code, str(each.message)))
        text = f"{identity}\0{seen[identity]}"
        seen[identity] += 1
        begin, end = {"line": span.line, "column": span.column}, {"line": span.end_line, "column": span.end_column}
        entries.append(
            {
                "description": f"{each.code} {each.message}".strip(),
                "check_name": each.code or "not-checked",
                "fingerprint": sha256(text.encode("utf-8", "backslashreplace")).hexdigest(),
                "severity": _OF_GITLAB[each.severity],
                "location": {"path": path, "positions": {"begin": begin, "end": end}},
            }
        )
    _write(entries, out)


def write_junit(reported: Iterable[Reported], out: TextIO) -> None:
    """Write a test suite for each file with findings, and a failed test for each finding.

    Without findings, the report has one test that passes: some readers reject an empty report.
    """
    suites = Xml.Element("testsuites", name="llmblocks")
    for path, group in groupby(reported, key=lambda each: each.path):
        failures = [*group]
        count, errors = len(failures), len([each for each in failures if not each.code])
        counts = {"tests": str(count), "failures": str(count - errors), "errors": str(errors)}
        suite = Xml.SubElement(suites, "testsuite", {"name": _xml(path), **counts})
        for each in failures:
            _add_failure(suite, each)
    if not len(suites):
        passed = Xml.SubElement(suites, "testsuite", name="llmblocks", tests="1", failures="0", errors="0")
        Xml.SubElement(passed, "testcase", name="nothing found", classname="llmblocks")
    Xml.indent(suites)
    out.write(f'<?xml version="1.0" encoding="UTF-8"?>\n{Xml.tostring(suites, "unicode")}\n')


def _add_failure(suite: Xml.Element, each: Reported) -> None:
    path, message = _xml(each.path), each.message
    if not each.code:
        case = Xml.SubElement(suite, "testcase", {"name": "not checked", "classname": path, "file": path})
        Xml.SubElement(case, "error", {"type": "not checked", "message": _xml(str(message))})
        return
    place, severity = f"line {each.span.line}, column {each.span.column}", each.severity.name.lower()
    name = f"{each.code} {NAMES.get(each.code, '')}".strip()
    about = {"name": _xml(f"{name} at {place}"), "classname": path, "file": path, "line": str(each.span.line)}
    failure = Xml.SubElement(
        Xml.SubElement(suite, "testcase", about), "failure", {"type": severity, "message": _xml(message.headline)}
    )
    failure.text = _xml(f"{place}: {severity} {each.code} {message}")


def _xml(text: str) -> str:
    return _NEVER.sub(lambda found: f"\\u{ord(found[0]):04x}", visible(text))
