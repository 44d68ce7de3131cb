"""The rules about settings, about comments that ignore findings, and about data sets."""

from __future__ import annotations

from typing import Final

from llmblocks.facts.rule import Case, error, hint, rules_in, warning
from llmblocks.facts.severity import Severity

SETTINGS: Final = "settings"
SCHEMAS: Final = "schemas"
DATA: Final = "data sets"
DOCUMENTS: Final = "documents"

C001_INVALID_SETTING: Final = error(
    "{setting} is {value}\n{effect}\n{need}",
    cases={
        "name": "{setting}: the name is {value}\n{effect}\n{need}",
        "rule": "{setting}: unknown rule {value}\nit is left out\n{need}",
        "why": "{setting} is {value}\n{why}; it is left out\n{help}",
        "whole": "the settings are {value}\nthe defaults are used\nthey must be an object",
        "rules": Case(
            "the rules of {name} are not imported\nthey are code, and the settings are not trusted\n{help}",
            Severity.INFORMATION,
        ),
        "rule failed": "the rule {rule} failed\n{why}; it finds nothing here\ncorrect the rule",
        "unreadable": "the settings cannot be read\n{why}; the defaults are used\ncorrect the file",
    },
    about="A setting has an invalid value, or a settings file cannot be used. llmblocks uses the default in place of "
    "the value, and drops the item from a list. All other settings apply. A file that is not TOML is ignored "
    "completely, and so is a file that cannot be extended.",
    bad='[stf]\ndialect = "$"\n',
    good='[stf]\ndialect = "@"\n',
    layer=SETTINGS,
)
C002_UNKNOWN_SETTING: Final = warning(
    "unknown setting {setting}\nit has no effect\n{hint}",
    about="A setting has an unknown name. The setting has no effect. Usually its name is misspelt, or it is in the "
    "wrong table.",
    bad='[stf]\ndialct = "@"\n',
    good='[stf]\ndialect = "@"\n',
    layer=SETTINGS,
)
C003_UNREADABLE_SCHEMA: Final = error(
    "{reason}\n{why}\n{help}",
    about="A file that defines gadgets cannot be read, or contains something other than a definition. Gadgets without "
    "a valid definition are unknown. If a file cannot be read at all, llmblocks does not report unknown gadgets.",
    bad='{"name": "Search", "schema": {"type": "objekt"}}\n',
    good='{"name": "Search", "schema": {"type": "object"}}\n',
    layer=SCHEMAS,
)
C004_OVERLAPPING_MARKERS: Final = error(
    "gadget.markers cannot be used\n{why}; the default markers are used\n"
    "choose three markers, none of which begins another",
    about="A marker is empty, contains a line end, or is a prefix of another one. Such markers cannot be "
    "distinguished, or match everywhere. llmblocks uses the default markers instead.",
    bad='[gadget.markers]\nstart = "<<"\nend = "<<END"\n',
    good='[gadget.markers]\nstart = "<<START"\nend = "<<END"\n',
    layer=SETTINGS,
)
C010_UNUSED_IGNORE: Final = warning(
    "This comment ignores nothing\nit would hide a later mistake\nremove it",
    cases={"code": "{text} ignores nothing here\nit would hide a later mistake\nremove it"},
    about="A comment ignores a rule that finds nothing there. The mistake has been corrected, or the comment is in the "
    "wrong place. Left behind, it would hide the next mistake of its kind. Codes of rules that the settings turn off "
    "are not reported. In custom blocks the comment is `<!-- llmblocks: ignore[T001] -->`.",
    bad="@# llmblocks: ignore[S203]\n@user id=q1\nHello\n@ai id=a1\nHi\n",
    good="@user id=q1\nHello\n@# llmblocks: ignore[S203] the same question\n@user id=q1\nHello\n",
    fixed="@user id=q1\nHello\n@ai id=a1\nHi\n",
    fix="texts.removed_silence",
    remedy="Removes the comment, or the codes in it that ignore nothing. Safe in Simple Text Format, where comments "
    "do not belong to messages; in custom blocks a comment is visible text.",
)
C011_UNKNOWN_IGNORE: Final = warning(
    "No rule has the code or name '{text}'\nnothing is ignored\n{near}",
    cases={"form": "'{text}' is not a way to ignore findings\nnothing is ignored\n{near}"},
    about="A comment ignores a rule that does not exist, or its form is wrong. It ignores nothing, nor does a comment "
    "that only looks like one: without the colon or the brackets, in capitals, misspelt, after other text, over "
    "several lines, in a block or in the text of a message. Name rules by code, by the beginning of a code, or by "
    "name: `ignore[S203]`, `ignore[S2]`, `ignore[duplicate-message-id]`; `ignore` alone ignores all rules.",
    bad="@# llmblocks: ignore[S999]\n@user\nHello\n",
    good="@user id=q1\nHello\n@# llmblocks: ignore[S203]\n@user id=q1\nHello\n",
    by_hand="texts.removed_silence",
)
D001_NOT_JSON: Final = error(
    "Not JSON: {reason}\na program that reads the file stops here, and nothing in this row is checked\n"
    "correct this row",
    about="A row of a data set is not JSON. Services for fine-tuning reject a file with such a row, often without the "
    "number of the line. In JSON Lines, each line must be one value: a value over several lines, or two values on one "
    "line, is invalid.",
    bad='{"messages": [{"role": "assistant", "content": "Hi"}]}\n{"messages": [}\n',
    good='{"messages": [{"role": "assistant", "content": "Hi"}]}\n{"messages": []}\n',
    layer=DATA,
)
D002_NO_TEXT: Final = warning(
    "None of the texts is here: {paths}\nnothing in this row is checked\n"
    "correct the names, or the setting files.strings",
    cases={
        "type": "{path} is {is}\n{need} is expected, and nothing in it is checked\n"
        "correct it, or the setting files.strings"
    },
    about="A row of a data set lacks the texts that the settings name. The row has a different form, so a program that "
    "reads the file fails at it or skips it.",
    bad='{"messages": [{"role": "assistant", "content": "Hi"}]}\n{"mesages": []}\n',
    good='{"messages": [{"role": "assistant", "content": "Hi"}]}\n{"messages": []}\n',
    layer=DATA,
)
D003_UNKNOWN_ROLE: Final = error(
    "Unknown role '{role}'\nservices for fine-tuning reject the file\nuse {roles}",
    cases={"none": "{path} has no {key}\nservices for fine-tuning reject the file\nadd it"},
    about="A message of a data set has an unknown role, or none. Services for fine-tuning reject the whole file, often "
    "without the number of the line. The known roles are those of the format: `openai`, `anthropic` or `sharegpt`.",
    bad='{"messages": [{"role": "user", "content": "Hi"}]}\n{"messages": [{"role": "assitant", "content": "Hi"}]}\n',
    good='{"messages": [{"role": "user", "content": "Hi"}]}\n{"messages": [{"role": "assistant", "content": "Hi"}]}\n',
    layer=DATA,
)
D004_UNREAD_TEXT: Final = hint(
    "An unnamed fence begins with a gadget call\nllmblocks does not check it\n"
    "name it gadget, or set files.unnamedFences",
    cases={
        "other": "A fence named {name} begins with a gadget call\nllmblocks does not check it\nname it gadget",
        "string": "This string begins with a gadget call\nllmblocks does not check it\n"
        "mark it, or name it in files.code",
    },
    about="A fence or a string begins with a gadget call, but is not marked as one. llmblocks reads the fences of "
    "Markdown that are named `gadget`, `stf` or `custom-blocks`, and the strings of code that a comment marks or the "
    "settings name. A mistake in any other text is not found. A string counts if it is written over several lines, as "
    "prompts are. The setting `files.unnamedFences` reads fences without a name that begin with a gadget call.",
    bad="```\n!!!GADGET_START:Read:r1\n!!!ARG:path\na.py\n!!!GADGET_END\n```\n",
    good="```gadget\n!!!GADGET_START:Read:r1\n!!!ARG:path\na.py\n!!!GADGET_END\n```\n",
    fix="texts.marked",
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
