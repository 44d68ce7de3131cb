"""`llmblocks check`: the findings of an editor, on the command line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from io import TextIOWrapper
from typing import TYPE_CHECKING

from llmblocks.cli.arguments import add_files, add_jobs, add_output, add_settings, describe, flag, option
from llmblocks.cli.checking import CheckOptions, FileChecker
from llmblocks.cli.input import chosen_files, named_files, of_template, spared
from llmblocks.cli.output import text_output, write_output
from llmblocks.cli.processes import processors
from llmblocks.cli.project import CommandProject
from llmblocks.cli.run import FORMATS, CheckRun
from llmblocks.cli.source import CLEAN, FOUND, MISUSED, STDIN, InputError, SourceFile
from llmblocks.core.lines import visible
from llmblocks.settings.rule_names import code_of, codes_of

if TYPE_CHECKING:
    from llmblocks.settings.given import Given

_DESCRIPTION = """\
Reports the same findings as the language server. Settings come from the nearest llmblocks.toml, or
pyproject.toml with a table [tool.llmblocks], from the file's folder upwards to the root
of its repository. Lines and columns count from 1; a column is a character.

exit status: 0 nothing found, or nothing left after --fix; 1 errors or warnings found
(information and hints do not count), or, with --diff, something to change; 2 a file could
not be checked, or a settings file is invalid
"""
_EXAMPLES = """\
  llmblocks check                                 all files of this folder
  llmblocks check --fix chats/ answer.gadget
  llmblocks check --output-format sarif --output-file findings.sarif
  llmblocks check - --stdin-filename chat.stf < chat.stf
  llmblocks check --watch chats/
  llmblocks check --baseline old.json --write-baseline
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, _DESCRIPTION, _EXAMPLES)
    add_files(parser, "check")
    rules = parser.add_argument_group("rules")
    only, ignored = "only these rules, e.g. G1,duplicate-pointer", "ignore these rules too, in addition to the settings"
    for name, says in (("--select", only), ("--ignore", ignored)):
        option(rules, name, "CODES", f"{says}; may be repeated", action="append")
    option(rules, "--baseline", "FILE", "report only the findings that are not in this file (default: rules.baseline)")
    flag(rules, "--write-baseline", "write all findings to the baseline, and accept them for now")
    where = "in *.completion, in JSON Lines and in given files whose name tells no language"
    what = "a name such as qwen3-coder, a JSON file, or auto"
    option(parser, "--template", "TEMPLATE", f"the response template of raw completions, {where}: {what}")
    fixes = parser.add_argument_group("fixes")
    flag(fixes, "--fix", "apply safe fixes, then report the rest")
    flag(fixes, "--unsafe-fixes", "also apply fixes that may change the meaning")
    flag(fixes, "--diff", "show what --fix would change")
    shown = add_output(parser, (*FORMATS,), says="full on a terminal, else concise", color=True)
    flag(shown, "--statistics", "print a count for each rule instead of the findings")
    flag(shown, "--exit-zero", "exit with status 0 even if something is found")
    flag(shown, "--quiet", "do not print the totals", "-q")
    flag(shown, "--show-files", "list the files that would be checked, and stop")
    flag(shown, "--show-texts", "list the texts that would be checked, and stop")
    flag(shown, "--show-settings", "show the settings of the first file, and stop")
    running = parser.add_argument_group("running")
    flag(running, "--watch", "check again after each change, until Ctrl-C")
    add_jobs(running)
    flag(running, "--trust", "import the code that the settings name: rules, pydantic models")
    add_settings(parser)


def main(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    file = given.output_file
    if given.unsafe_fixes and not (given.fix or given.diff):
        parser.error("--unsafe-fixes requires --fix or --diff")
    names = named_files(given, parser)
    given.select, given.ignore = (_codes(each, given, names, parser) for each in ("select", "ignore"))
    is_piped = STDIN in names
    if given.template == "auto" and is_piped:
        parser.error("--template auto cannot be combined with standard input: name the template")
    if given.write_baseline and (given.diff or given.watch or is_piped):
        parser.error("--write-baseline cannot be combined with --diff, --watch or standard input")
    if given.baseline:
        _check_baseline(given, parser)
    if given.watch:
        _check_watch(given, parser, is_piped)
    # standard output is for the fixed text of standard input
    out = sys.stderr if given.fix and is_piped else sys.stdout
    output = given.output_format or ("full" if out.isatty() and not file else "concise")
    # other processes cannot read standard input
    jobs = 1 if is_piped else given.jobs or processors()
    changes = given.fix, given.unsafe_fixes, given.diff
    options = CheckOptions(*changes, output, jobs, given.quiet, given.statistics, given.write_baseline)

    def begin() -> tuple[CommandProject, Iterator[SourceFile | InputError]]:
        project = CommandProject(given.settings, _over(given, parser), trusted=given.trust)
        return project, chosen_files(given, names, project)

    def run(project: CommandProject, sources: Iterable[SourceFile | InputError]) -> CheckRun:
        made = CheckRun(project, options)
        with nullcontext(out) if file is None else text_output(file) as written:
            made.report(sources, written)
        return made

    if given.watch:
        from llmblocks.cli.growing import watch

        watch(names, begin, lambda project, sources: run(project, sources).looked, quiet=given.quiet)
        return CLEAN
    project, sources = begin()
    if given.show_files or given.show_texts or given.show_settings:
        return _show(sources, project, given)
    if output in ("github", "junit") and file is None and isinstance(out, TextIOWrapper):
        # their readers expect UTF-8 in any locale
        out.reconfigure(encoding="utf-8", errors="backslashreplace")
    status = run(project, spared(sources, project, file)).outcome.status
    return CLEAN if given.exit_zero and status == FOUND else status


def _codes(option: str, given: argparse.Namespace, files: Iterable[str], parser: argparse.ArgumentParser) -> list[str]:
    """Return the codes of the rules that an option names."""
    named: list[str] = getattr(given, option) or []
    if not all(code_of(each) for text in named for each in text.split(",")):
        # the names of a team's rules are known once its settings have been read
        project = CommandProject(given.settings, trusted=given.trust)
        for each in files:
            project.around(os.path.join(each, STDIN) if os.path.isdir(each) else each)
    try:
        return [code for text in named for code in codes_of(text)]
    except ValueError as error:
        parser.error(f"argument --{option}: {error}")


def _check_baseline(given: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Read the baseline of the command line; report misuse without one."""
    from llmblocks.settings.baseline import BaselineError, read_baseline

    try:
        read_baseline(os.path.abspath(given.baseline))
    except BaselineError as error:
        parser.error(f"--baseline {given.baseline}: {error}")
    if not given.write_baseline and not os.path.exists(given.baseline):
        parser.error(f"--baseline {given.baseline}: no such file; --write-baseline writes it")


def _check_watch(given: argparse.Namespace, parser: argparse.ArgumentParser, is_piped: bool) -> None:
    for name in ("fix", "diff", "output_file", "show_files", "show_texts", "show_settings"):
        if getattr(given, name):
            parser.error(f"--watch cannot be combined with --{name.replace('_', '-')}")
    if is_piped:
        parser.error("--watch cannot be combined with standard input")
    if given.output_format not in (None, "full", "concise"):
        parser.error(f"--watch writes full or concise reports, not {given.output_format}")


def _show(sources: Iterable[SourceFile | InputError], project: CommandProject, given: argparse.Namespace) -> int:
    """List the files or their texts, or the settings of the first."""
    status = CLEAN
    for source in sources:
        try:
            if isinstance(source, InputError):
                raise source
            if given.show_settings:
                from llmblocks.settings.toml import as_toml

                head = f"# {visible(source.name)}: {source.language_id}\n"
                write_output(head + as_toml(project.effective(source.name)))
                break
            if given.show_files:
                sys.stdout.write(f"{source.name}\n")
                continue
            for line, language_id in FileChecker(project, CheckOptions()).texts(source):
                sys.stdout.write(f"{source.name}:{line}: {language_id}\n")
        except InputError as error:
            status = MISUSED
            sys.stderr.write(f"llmblocks check: {error}\n")
    return status


def _over(given: argparse.Namespace, parser: argparse.ArgumentParser) -> dict[str, Given]:
    """Return the settings of the command line, in the form of a settings file."""
    baseline = os.path.abspath(given.baseline) if given.baseline else None
    named = {"select": given.select, "extendIgnore": given.ignore, "baseline": baseline}
    rules: dict[str, Given] = {setting: value for setting, value in named.items() if value}
    over: dict[str, Given] = {"rules": rules} if rules else {}
    if given.template is not None:
        over |= of_template(given.template, given.files, parser)
    return over
