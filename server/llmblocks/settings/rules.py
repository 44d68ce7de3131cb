"""The rules about settings, about comments that ignore findings, and about data sets."""

from __future__ import annotations

from typing import Final

from llmblocks.facts.rule import Case, Rule, rules_in
from llmblocks.facts.severity import Severity

SETTINGS: Final = "settings"
SCHEMAS: Final = "schemas"
DATA: Final = "data sets"

INVALID_SETTING: Final = Rule(
    "C001",
    Severity.ERROR,
    "{setting} is {value}",
    "{need}; {effect}",
    cases={
        "name": Case("{setting}: the name is {value}", "{need}; {effect}"),
        "rule": Case("{setting}: no rule has the code or name {value}", "{need}; it is left out"),
        "whole": Case("the settings are {value}", "they must be an object; the defaults are used"),
        "too many": Case("there are more than {most} names in the settings", "the defaults are used"),
        "more": Case("and {count} more problems in the settings: correct these first"),
        "unreadable": Case("the settings cannot be read: {reason}", "the defaults are used"),
    },
    summary="A setting has an invalid value, or a settings file cannot be used.",
    why="llmblocks uses the default in place of the value, and drops the item from a list. All other settings "
    "hold. A file that is not TOML is ignored as a whole; a file that cannot be extended is left out.",
    bad='[stf]\ndialect = "$"\n',
    good='[stf]\ndialect = "@"\n',
    layer=SETTINGS,
)
UNKNOWN_SETTING: Final = Rule(
    "C002",
    Severity.WARNING,
    "unknown setting {setting}",
    "{hint}",
    summary="There is no setting with this name.",
    why="The setting has no effect. Usually its name is misspelt, or it is in the wrong table.",
    bad='[stf]\ndialct = "@"\n',
    good='[stf]\ndialect = "@"\n',
    layer=SETTINGS,
)
UNREADABLE_SCHEMA: Final = Rule(
    "C003",
    Severity.ERROR,
    "{reason}",
    "",
    summary="A file that defines gadgets cannot be read, or contains something other than a definition.",
    why="Gadgets without a valid definition are unknown. If a file cannot be read at all, llmblocks does not "
    "report unknown gadgets.",
    bad='{"name": "Search", "schema": {"type": "objekt"}}\n',
    good='{"name": "Search", "schema": {"type": "object"}}\n',
    layer=SCHEMAS,
)
OVERLAPPING_MARKERS: Final = Rule(
    "C004",
    Severity.ERROR,
    "{reason}",
    "the default markers are used",
    summary="A marker is empty, contains a line end, or is a prefix of another one.",
    why="Such markers cannot be distinguished, or match everywhere. llmblocks uses the default markers instead.",
    bad='[gadget.markers]\nstart = "<<"\nend = "<<END"\n',
    good='[gadget.markers]\nstart = "<<START"\nend = "<<END"\n',
    layer=SETTINGS,
)
UNUSED_IGNORE: Final = Rule(
    "C010",
    Severity.WARNING,
    "This comment ignores nothing",
    "it would hide a later mistake; remove it",
    cases={"code": Case("{text} ignores nothing here", "it would hide a later mistake; remove it")},
    summary="A comment ignores a rule that finds nothing there.",
    why="The mistake has been corrected, or the comment is in the wrong place. Left behind, it would hide the next "
    "mistake of its kind. Codes of rules that the settings turn off are not reported. In custom blocks the comment is "
    "`<!-- llmblocks: ignore[T001] -->`.",
    bad="@# llmblocks: ignore[S203]\n@user id=q1\nHello\n@ai id=a1\nHi\n",
    good="@user id=q1\nHello\n@# llmblocks: ignore[S203] the same question\n@user id=q1\nHello\n",
    fixed="@user id=q1\nHello\n@ai id=a1\nHi\n",
    fix="comments.removed_silence",
    remedy="Removes the comment, or the codes in it that ignore nothing. Safe in Simple Text Format, where comments "
    "do not belong to messages; in custom blocks a comment is visible text.",
)
UNKNOWN_IGNORE: Final = Rule(
    "C011",
    Severity.WARNING,
    "No rule has the code or name '{text}'",
    "nothing is ignored; {near}",
    cases={"form": Case("'{text}' is not a way to ignore findings", "nothing is ignored; {near}")},
    summary="A comment ignores a rule that does not exist, or its form is wrong.",
    why="It ignores nothing, nor does a comment that only looks like one: without the colon or the brackets, "
    "in capitals, misspelt, behind other text, over several lines, in a block or in the text of a message. Name rules "
    "by code, by the beginning of a code, or by name: `ignore[S203]`, `ignore[S2]`, `ignore[duplicate-message-id]`; "
    "`ignore` alone ignores all rules.",
    bad="@# llmblocks: ignore[X203]\n@user\nHello\n",
    good="@user id=q1\nHello\n@# llmblocks: ignore[S203]\n@user id=q1\nHello\n",
    by_hand="comments.removed_silence",
)
NOT_JSON: Final = Rule(
    "D001",
    Severity.ERROR,
    "Not JSON: {reason}",
    "a program that reads the file stops here, and nothing in this row is checked",
    summary="A row of a data set is not JSON.",
    why="Services for fine-tuning refuse a file with such a row, often without the number of the line. In JSON Lines, "
    "each line must be one value: a value over several lines, or two values on one line, is none.",
    bad='{"messages": [{"role": "assistant", "content": "Hi"}]}\n{"messages": [}\n',
    good='{"messages": [{"role": "assistant", "content": "Hi"}]}\n{"messages": []}\n',
    layer=DATA,
)
NO_TEXT: Final = Rule(
    "D002",
    Severity.WARNING,
    "None of the texts is here: {paths}",
    "nothing in this row is checked; correct the names, or the setting files.strings",
    cases={"type": Case("{path} is {is}", "{need} is expected, and nothing in it is checked")},
    summary="A row of a data set does not have the texts that the settings name.",
    why="The row has another form than the others, so a program that reads the file fails at it, or leaves it out.",
    bad='{"messages": [{"role": "assistant", "content": "Hi"}]}\n{"mesages": []}\n',
    good='{"messages": [{"role": "assistant", "content": "Hi"}]}\n{"messages": []}\n',
    layer=DATA,
)
UNKNOWN_ROLE: Final = Rule(
    "D003",
    Severity.ERROR,
    "Unknown role '{role}'",
    "services for fine-tuning refuse the file; use {roles}",
    cases={"none": Case("{path} has no {key}", "services for fine-tuning refuse the file")},
    summary="A message of a data set has a role that its format does not know, or none.",
    why="Services for fine-tuning refuse the whole file, often without the number of the line. The known roles are "
    "those of the format: `openai`, `anthropic` or `sharegpt`.",
    bad='{"messages": [{"role": "user", "content": "Hi"}]}\n{"messages": [{"role": "assitant", "content": "Hi"}]}\n',
    good='{"messages": [{"role": "user", "content": "Hi"}]}\n{"messages": [{"role": "assistant", "content": "Hi"}]}\n',
    layer=DATA,
)
RULES: Final = rules_in(globals(), "stf")
SETTINGS_RULES: Final = tuple([rule for rule in RULES if rule.layer in (SETTINGS, SCHEMAS)])
DATA_RULES: Final = tuple([rule for rule in RULES if rule.layer == DATA])
COMMENT_RULES: Final = tuple([rule for rule in RULES if rule.layer == "stf"])
