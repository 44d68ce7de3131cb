"""`llmblocks check`: the findings of an editor, on the command line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from io import TextIOWrapper
from typing import TYPE_CHECKING, TextIO

from llmblocks.cli.checking import CheckOptions, FileChecker
from llmblocks.cli.findings import FORMATS
from llmblocks.cli.fixing import Fixing
from llmblocks.cli.options import add_files, add_jobs, add_output, add_quiet, add_settings
from llmblocks.cli.outcome import CLEAN, FOUND, MISUSED
from llmblocks.cli.processes import processors
from llmblocks.cli.project import CommandProject
from llmblocks.cli.run import CheckRun
from llmblocks.cli.selection import chosen_files, named_files, spared
from llmblocks.cli.source import STDIN, InputError, SourceFile
from llmblocks.core.visible import visible

if TYPE_CHECKING:
    from llmblocks.settings.given import Given

_DETAILED = ("full", "json", "jsonl")
"""The formats that show fixes."""
_DESCRIPTION = """\
Reports the same findings as the language server. Settings come from the nearest llmblocks.toml, or
pyproject.toml with a table [tool.llmblocks], from the file's folder upwards to the root
of its repository. Lines and columns count from 1; a column is a character.

exit status: 0 nothing found, or nothing left after --fix; 1 errors or warnings found
(information and hints do not count), or, with --diff, something to change; 2 a file could
not be checked, or a settings file is invalid
"""
_EXAMPLES = """\
examples:
  llmblocks check                                 all files of this folder
  llmblocks check --fix chats/ answer.gadget
  llmblocks check --output-format sarif --output-file findings.sarif
  llmblocks check - --stdin-filename chat.stf < chat.stf
  llmblocks check --watch chats/
  llmblocks check --baseline old.json --write-baseline
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    add_files(parser, "check")
    rules = parser.add_argument_group("rules")
    rules.add_argument(
        "--select",
        metavar="CODES",
        action="extend",
        type=_codes,
        help="only these rules, e.g. G1,duplicate-pointer; may be repeated",
    )
    rules.add_argument(
        "--ignore",
        metavar="CODES",
        action="extend",
        type=_codes,
        help="ignore these rules too, in addition to the settings; may be repeated",
    )
    rules.add_argument(
        "--baseline",
        metavar="FILE",
        help="report only the findings that are not in this file (default: rules.baseline)",
    )
    rules.add_argument(
        "--write-baseline", action="store_true", help="write all findings to the baseline, and accept them for now"
    )
    parser.add_argument(
        "--template",
        metavar="TEMPLATE",
        help="the response template of raw completions, in *.completion, in JSON Lines and in given files whose name "
        "tells no language: a name such as qwen3-coder, a JSON file, or auto",
    )
    fixes = parser.add_argument_group("fixes")
    fixes.add_argument("--fix", action="store_true", help="apply safe fixes, then report the rest")
    fixes.add_argument("--unsafe-fixes", action="store_true", help="also apply fixes that may change the meaning")
    fixes.add_argument("--diff", action="store_true", help="show what --fix would change")
    shown = add_output(parser, (*FORMATS,), says="full on a terminal, else concise", color=True)
    shown.add_argument("--statistics", action="store_true", help="print a count for each rule instead of the findings")
    shown.add_argument("--exit-zero", action="store_true", help="exit with status 0 even if something is found")
    add_quiet(shown, "do not print the totals")
    shown.add_argument("--show-files", action="store_true", help="list the files that would be checked, and stop")
    shown.add_argument("--show-texts", action="store_true", help="list the texts that would be checked, and stop")
    shown.add_argument("--show-settings", action="store_true", help="show the settings of the first file, and stop")
    running = parser.add_argument_group("running")
    running.add_argument("--watch", action="store_true", help="check again after each change, until Ctrl-C")
    add_jobs(running)
    for old in ("--no-cache", "--cache-dir"):
        # the cache has been removed
        running.add_argument(old, nargs="?" if old == "--cache-dir" else 0, action=_Ignored, help=argparse.SUPPRESS)
    running.add_argument(
        "--trust", action="store_true", help="import the code that the settings name: rules, pydantic models"
    )
    add_settings(parser)


def main(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    fixing = Fixing(given.fix, given.unsafe_fixes, given.diff)
    if fixing.unsafe and not (fixing.writes or fixing.diffs):
        parser.error("--unsafe-fixes requires --fix or --diff")
    names = named_files(given, parser)
    if given.template == "auto" and STDIN in names:
        parser.error("--template auto cannot be combined with standard input: name the template")
    if given.write_baseline and (fixing.diffs or given.watch or STDIN in names):
        parser.error("--write-baseline cannot be combined with --diff, --watch or standard input")
    if given.baseline:
        _check_baseline(given, parser)
    if given.watch:
        return _watch(given, parser, names)
    project = CommandProject(given.settings, _over(given, parser), trusted=given.trust)
    sources = chosen_files(given, names, project)
    if given.show_files or given.show_texts or given.show_settings:
        return _show(sources, project, given)
    # standard output is for the fixed text of standard input
    out = sys.stderr if fixing.writes and STDIN in names else sys.stdout
    output = given.output_format or ("full" if out.isatty() and not given.output_file else "concise")
    options = CheckOptions(fixing, output in _DETAILED and not given.statistics)
    with _opened(given.output_file, out, output) as file:
        run = CheckRun(project, options, _jobs(given, names), quiet=given.quiet, writes_baseline=given.write_baseline)
        if given.output_file:
            sources = spared(sources, project, given.output_file)
        run.report(sources, output, file, statistics=given.statistics)
    if not given.quiet:
        run.conclude()
    return CLEAN if given.exit_zero and run.outcome.status == FOUND else run.outcome.status


def _check_baseline(given: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Read the baseline of the command line; report misuse without one."""
    from llmblocks.settings.baseline import BaselineError, read_baseline

    try:
        read_baseline(os.path.abspath(given.baseline))
    except BaselineError as error:
        parser.error(f"--baseline {given.baseline}: {error}")
    if not given.write_baseline and not os.path.exists(given.baseline):
        parser.error(f"--baseline {given.baseline}: no such file; --write-baseline writes it")


def _watch(given: argparse.Namespace, parser: argparse.ArgumentParser, names: list[str]) -> int:
    from llmblocks.cli.watch import watch

    for name in ("fix", "diff", "output_file", "show_files", "show_texts", "show_settings"):
        if getattr(given, name):
            parser.error(f"--watch cannot be combined with --{name.replace('_', '-')}")
    if STDIN in names:
        parser.error("--watch cannot be combined with standard input")
    if given.output_format not in (None, "full", "concise"):
        parser.error(f"--watch writes full or concise reports, not {given.output_format}")
    output = given.output_format or ("full" if sys.stdout.isatty() else "concise")
    options = CheckOptions(detailed=output == "full" and not given.statistics)

    def report(project: CommandProject, sources: Sequence[SourceFile | InputError]) -> Iterable[str]:
        run = CheckRun(project, options, _jobs(given, names), quiet=given.quiet)
        run.report(sources, output, sys.stdout, statistics=given.statistics)
        if not given.quiet:
            run.conclude()
        return run.looked

    watch(
        names,
        lambda: CommandProject(given.settings, _over(given, parser), trusted=given.trust),
        lambda project: chosen_files(given, names, project),
        report,
        quiet=given.quiet,
    )
    return CLEAN


def _jobs(given: argparse.Namespace, names: list[str]) -> int:
    # other processes cannot read standard input
    return 1 if STDIN in names else given.jobs or processors()


def _show(sources: Iterable[SourceFile | InputError], project: CommandProject, given: argparse.Namespace) -> int:
    """List the files or their texts, or the settings of the first."""
    status = CLEAN
    for source in sources:
        if isinstance(source, InputError):
            status = MISUSED
            sys.stderr.write(f"llmblocks check: {source}\n")
        elif given.show_settings:
            from llmblocks.cli.output import write_output
            from llmblocks.settings.layers import as_toml

            head = f"# {visible(source.name)}: {source.language_id}\n"
            write_output(head + as_toml(project.effective(source.name)))
            break
        elif given.show_files:
            sys.stdout.write(f"{source.name}\n")
        else:
            try:
                for line, language_id in FileChecker(project, CheckOptions()).texts(source):
                    sys.stdout.write(f"{source.name}:{line}: {language_id}\n")
            except InputError as error:
                status = MISUSED
                sys.stderr.write(f"llmblocks check: {error}\n")
    return status


def _over(given: argparse.Namespace, parser: argparse.ArgumentParser) -> dict[str, Given]:
    """Return the settings of the command line, in the form of a settings file."""
    names = {"select": "select", "ignore": "extendIgnore"}
    rules: dict[str, Given] = {
        setting: list(codes) for name, setting in names.items() if (codes := getattr(given, name))
    }
    if given.baseline:
        rules["baseline"] = os.path.abspath(given.baseline)
    over: dict[str, Given] = {"rules": rules} if rules else {}
    if given.template is not None:
        from llmblocks.cli.templates import of_template

        over |= of_template(given.template, given.files, parser)
    return over


class _Ignored(argparse.Action):
    """An obsolete option without effect."""

    def __call__(self, *_: object) -> None:
        pass


def _codes(text: str) -> tuple[str, ...]:
    from llmblocks.settings.rule_names import codes_of

    try:
        return codes_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _opened(file: str | None, out: TextIO, output: str) -> AbstractContextManager[TextIO]:
    """Return the stream that the findings go to."""
    if file is not None:
        from llmblocks.cli.output import replacing

        return replacing(file)
    if output in ("github", "junit") and isinstance(out, TextIOWrapper):
        # their readers expect UTF-8 in any locale
        out.reconfigure(encoding="utf-8", errors="backslashreplace")
    return nullcontext(out)
