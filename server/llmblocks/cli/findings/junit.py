"""Findings as a JUnit report: a test suite for each file with findings, a failed test for each finding."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from llmblocks.cli.findings.reported import Reported
from llmblocks.core.visible import visible
from llmblocks.settings.rule_names import NAMES

# not in XML, in no spelling
_NEVER = re.compile("[\ud800-\udfff\ufffe\uffff]")


def write(reported: Iterable[Reported], out: TextIO) -> None:
    """Write the report. Without findings, it has one test that passes: some readers reject an empty report."""
    out.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="llmblocks">\n')
    found = False
    for path, group in groupby(reported, key=lambda each: each.path):
        found = True
        failures = [*group]
        count = len(failures)
        errors = len([each for each in failures if not each.code])
        out.write(f'  <testsuite name={_quoted(path)} tests="{count}" failures="{count - errors}" errors="{errors}">\n')
        for each in failures:
            _write_failure(each, out)
        out.write("  </testsuite>\n")
    if not found:
        out.write('  <testsuite name="llmblocks" tests="1" failures="0" errors="0">\n')
        out.write('    <testcase name="nothing found" classname="llmblocks"/>\n  </testsuite>\n')
    out.write("</testsuites>\n")


def _write_failure(each: Reported, out: TextIO) -> None:
    if not each.code:
        out.write(
            f'    <testcase name="not checked" classname={_quoted(each.path)} file={_quoted(each.path)}>\n'
            f'      <error type="not checked" message={_quoted(str(each.message))}/>\n    </testcase>\n'
        )
        return
    place = f"line {each.span.line}, column {each.span.column}"
    name = f"{each.code} {NAMES.get(each.code, '')}".strip()
    severity = each.severity.name.lower()
    out.write(
        f"    <testcase name={_quoted(f'{name} at {place}')} classname={_quoted(each.path)}"
        f' file={_quoted(each.path)} line="{each.span.line}">\n'
        f"      <failure type={_quoted(severity)} message={_quoted(each.message.headline)}>"
        f"{escape(_xml(f'{place}: {severity} {each.code} {each.message}'))}</failure>\n"
        "    </testcase>\n"
    )


def _quoted(text: str) -> str:
    return quoteattr(_xml(text))


def _xml(text: str) -> str:
    return _NEVER.sub(lambda found: f"\\u{ord(found[0]):04x}", visible(text))
