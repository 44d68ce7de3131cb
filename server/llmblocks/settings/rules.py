"""The rules about settings, about comments that ignore findings, and about data sets."""

from __future__ import annotations

from typing import Final

from llmblocks.facts.message import Words
from llmblocks.facts.rule import Case, Rule, rules_in
from llmblocks.facts.severity import Severity

SETTINGS: Final = "settings"
SCHEMAS: Final = "schemas"
DATA: Final = "data sets"
DOCUMENTS: Final = "documents"

INVALID_SETTING: Final = Rule(
    "C001",
    Severity.ERROR,
    Words("{setting} is {value}", "{effect}", "{need}"),
    cases={
        "name": Case(Words("{setting}: the name is {value}", "{effect}", "{need}")),
        "rule": Case(Words("{setting}: unknown rule {value}", "it is left out", "{need}")),
        "why": Case(Words("{setting} is {value}", "{why}; it is left out", "{help}")),
        "whole": Case(Words("the settings are {value}", "the defaults are used", "they must be an object")),
        "too many": Case(
            Words("there are more than {most} names in the settings", "the defaults are used", "remove some")
        ),
        "more": Case(Words("and {count} more problems in the settings", "they are not listed", "correct these first")),
        "rules": Case(
            Words("the rules of {name} are not imported", "they are code, and the settings are not trusted", "{help}"),
            Severity.INFORMATION,
        ),
        "rule failed": Case(Words("the rule {rule} failed", "{why}; it finds nothing here", "correct the rule")),
        "unreadable": Case(Words("the settings cannot be read", "{why}; the defaults are used", "correct the file")),
    },
    summary="A setting has an invalid value, or a settings file cannot be used.",
    why="llmblocks uses the default in place of the value, and drops the item from a list. All other settings "
    "apply. A file that is not TOML is ignored completely, and so is a file that cannot be extended.",
    bad='[stf]\ndialect = "$"\n',
    good='[stf]\ndialect = "@"\n',
    layer=SETTINGS,
)
UNKNOWN_SETTING: Final = Rule(
    "C002",
    Severity.WARNING,
    Words("unknown setting {setting}", "it has no effect", "{hint}"),
    summary="A setting has an unknown name.",
    why="The setting has no effect. Usually its name is misspelt, or it is in the wrong table.",
    bad='[stf]\ndialct = "@"\n',
    good='[stf]\ndialect = "@"\n',
    layer=SETTINGS,
)
UNREADABLE_SCHEMA: Final = Rule(
    "C003",
    Severity.ERROR,
    Words("{reason}", "{why}", "{help}"),
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
    Words(
        "gadget.markers cannot be used",
        "{why}; the default markers are used",
        "choose three markers, none of which begins another",
    ),
    summary="A marker is empty, contains a line end, or is a prefix of another one.",
    why="Such markers cannot be distinguished, or match everywhere. llmblocks uses the default markers instead.",
    bad='[gadget.markers]\nstart = "<<"\nend = "<<END"\n',
    good='[gadget.markers]\nstart = "<<START"\nend = "<<END"\n',
    layer=SETTINGS,
)
UNUSED_IGNORE: Final = Rule(
    "C010",
    Severity.WARNING,
    Words("This comment ignores nothing", "it would hide a later mistake", "remove it"),
    cases={"code": Case(Words("{text} ignores nothing here", "it would hide a later mistake", "remove it"))},
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
    Words("No rule has the code or name '{text}'", "nothing is ignored", "{near}"),
    cases={"form": Case(Words("'{text}' is not a way to ignore findings", "nothing is ignored", "{near}"))},
    summary="A comment ignores a rule that does not exist, or its form is wrong.",
    why="It ignores nothing, nor does a comment that only looks like one: without the colon or the brackets, "
    "in capitals, misspelt, after other text, over several lines, in a block or in the text of a message. Name rules "
    "by code, by the beginning of a code, or by name: `ignore[S203]`, `ignore[S2]`, `ignore[duplicate-message-id]`; "
    "`ignore` alone ignores all rules.",
    bad="@# llmblocks: ignore[S999]\n@user\nHello\n",
    good="@user id=q1\nHello\n@# llmblocks: ignore[S203]\n@user id=q1\nHello\n",
    by_hand="comments.removed_silence",
)
NOT_JSON: Final = Rule(
    "D001",
    Severity.ERROR,
    Words(
        "Not JSON: {reason}",
        "a program that reads the file stops here, and nothing in this row is checked",
        "correct this row",
    ),
    summary="A row of a data set is not JSON.",
    why="Services for fine-tuning reject a file with such a row, often without the number of the line. In JSON Lines, "
    "each line must be one value: a value over several lines, or two values on one line, is invalid.",
    bad='{"messages": [{"role": "assistant", "content": "Hi"}]}\n{"messages": [}\n',
    good='{"messages": [{"role": "assistant", "content": "Hi"}]}\n{"messages": []}\n',
    layer=DATA,
)
NO_TEXT: Final = Rule(
    "D002",
    Severity.WARNING,
    Words(
        "None of the texts is here: {paths}",
        "nothing in this row is checked",
        "correct the names, or the setting files.strings",
    ),
    cases={
        "type": Case(
            Words(
                "{path} is {is}",
                "{need} is expected, and nothing in it is checked",
                "correct it, or the setting files.strings",
            )
        )
    },
    summary="A row of a data set lacks the texts that the settings name.",
    why="The row has a different form, so a program that reads the file fails at it or skips it.",
    bad='{"messages": [{"role": "assistant", "content": "Hi"}]}\n{"mesages": []}\n',
    good='{"messages": [{"role": "assistant", "content": "Hi"}]}\n{"messages": []}\n',
    layer=DATA,
)
UNKNOWN_ROLE: Final = Rule(
    "D003",
    Severity.ERROR,
    Words("Unknown role '{role}'", "services for fine-tuning reject the file", "use {roles}"),
    cases={"none": Case(Words("{path} has no {key}", "services for fine-tuning reject the file", "add it"))},
    summary="A message of a data set has an unknown role, or none.",
    why="Services for fine-tuning reject the whole file, often without the number of the line. The known roles are "
    "those of the format: `openai`, `anthropic` or `sharegpt`.",
    bad='{"messages": [{"role": "user", "content": "Hi"}]}\n{"messages": [{"role": "assitant", "content": "Hi"}]}\n',
    good='{"messages": [{"role": "user", "content": "Hi"}]}\n{"messages": [{"role": "assistant", "content": "Hi"}]}\n',
    layer=DATA,
)
UNREAD_TEXT: Final = Rule(
    "D004",
    Severity.HINT,
    Words(
        "An unnamed fence begins with a gadget call",
        "llmblocks does not check it",
        "name it gadget, or set files.unnamedFences",
    ),
    cases={
        "other": Case(
            Words("A fence named {name} begins with a gadget call", "llmblocks does not check it", "name it gadget")
        ),
        "string": Case(
            Words(
                "This string begins with a gadget call",
                "llmblocks does not check it",
                "mark it, or name it in files.code",
            )
        ),
    },
    summary="A fence or a string begins with a gadget call, but is not marked as one.",
    why="llmblocks reads the fences of Markdown that are named `gadget`, `stf` or `custom-blocks`, and the strings of "
    "code that a comment marks or the settings name. A mistake in any other text is not found. A string counts "
    "if it is written over several lines, as prompts are. The setting "
    "`files.unnamedFences` reads fences without a name that begin with a gadget call.",
    bad="```\n!!!GADGET_START:Read:r1\n!!!ARG:path\na.py\n!!!GADGET_END\n```\n",
    good="```gadget\n!!!GADGET_START:Read:r1\n!!!ARG:path\na.py\n!!!GADGET_END\n```\n",
    fix="documents.marked",
    unsafe=True,
    remedy="Names the fence `gadget`, or puts a comment that marks it before the string. Unsafe: a fence may show "
    "other colours.",
    file="example.md",
    layer=DOCUMENTS,
)
RULES: Final = rules_in(globals(), "stf")
SETTINGS_RULES: Final = tuple([rule for rule in RULES if rule.layer in (SETTINGS, SCHEMAS)])
DATA_RULES: Final = tuple([rule for rule in RULES if rule.layer == DATA])
COMMENT_RULES: Final = tuple([rule for rule in RULES if rule.layer == "stf"])
DOCUMENT_RULES: Final = tuple([rule for rule in RULES if rule.layer == DOCUMENTS])
