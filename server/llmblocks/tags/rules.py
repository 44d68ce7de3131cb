"""The rules of custom blocks."""

from __future__ import annotations

from typing import Final

from llmblocks.facts.rule import Case, Rank, error, information, rules_in, warning
from llmblocks.facts.severity import Severity

ARTIFACT: Final = """\
[tags.declared.artifact.attributes.type]
required = true
values = ["code", "text"]

[tags.declared.artifact.attributes.title]
"""

T001_UNCLOSED_BLOCK: Final = warning(
    "The block <{tag}> is never closed\nall text from here to the end is its content\nclose it with </{tag}>",
    cases={
        "in-message": "The block <{tag}> is never closed\nall text from here to the end of its message is its content\n"
        "close it with </{tag}>"
    },
    unfinished=True,
    about="An opening tag has no closing tag. A block continues until its closing tag. Without one, everything after "
    "the opening tag is content of the block, and text meant for the user is not shown. In a chat, a block ends with "
    "its message.",
    bad="<think>\nLet me see.\nThe answer is 4.\n",
    good="<think>\nLet me see.\n</think>\nThe answer is 4.\n",
    fixed="<think>\nLet me see.\nThe answer is 4.\n</think>",
    rank=Rank.STRUCTURE,
    fix="tags.closed_block",
    remedy="Closes the block where its content ends: at the end of the text, or of the message. Unsafe: no value "
    "changes, but only the author knows where the block should end.",
)
T002_STRAY_CLOSING_TAG: Final = warning(
    "</{tag}> closes no block\nit stays in the visible text\nremove it",
    about="A closing tag is outside its block. It closes nothing, and the user sees it. Often a model began its answer "
    "inside a block, and the opening tag is missing.",
    bad="The answer is 4.\n</think>\n",
    good="<think>2 and 2</think>\nThe answer is 4.\n",
    fixed="The answer is 4.\n",
    rank=Rank.STRUCTURE,
    fix="texts.removed",
    remedy="Removes the tag, and its line if nothing else is on it. Unsafe: the opening tag may be missing instead.",
)
T003_SPACED_CLOSING_TAG: Final = warning(
    "Space in the closing tag of <{tag}>\nit is content and closes nothing\nwrite </{tag}>",
    about="A closing tag contains a space. Only the exact closing tag closes a block. A tag with a space is content, "
    "and the block continues.",
    bad="<think>2 and 2</think >\nThe answer is 4.</think>\n",
    good="<think>2 and 2</think>\nThe answer is 4.\n",
    rank=Rank.SPELLING,
    fix="tags.closing_tag",
    remedy="Removes the spaces, so that the block ends there. Also removes a later closing tag that is then left over. "
    "Unsafe: text from the block becomes visible.",
)
T004_MISSPELT_TAG: Final = warning(
    "'{name}' is not a registered tag\nit is treated as plain text\nwrite '{better}' if you mean that tag",
    cases={
        "guess": Case(
            "'{name}' is not a registered tag\nit is treated as plain text\nwrite '{better}' if you mean that tag",
            Severity.INFORMATION,
        )
    },
    about="A tag is almost a registered one. Names are case-sensitive. A tag that is not registered is ordinary text, "
    "and the user sees it. A name is reported if it differs from a registered one in case, in one letter (names of at "
    "least four letters), or in two (at least six); only the case is a warning, any other word in brackets may be a "
    "placeholder. Plurals are not reported, nor are tags in quotes, backticks or the code of a fence, nor components "
    "of JSX such as `<Think />`.",
    bad="<Think>\n2 and 2\n</Think>\n",
    good="<think>\n2 and 2\n</think>\n",
    rank=Rank.SPELLING,
    fix="tags.registered_name",
    remedy="Writes the registered name, in both tags of a block if both are misspelt. Unsafe: the tag may be meant as "
    "text.",
)
T005_NESTED_SAME_TAG: Final = warning(
    "<{tag}> inside its own block is content\nthe first </{tag}> closes the outer block\nclose that one first",
    about="A tag is opened inside its own block. Blocks do not nest: the inner tag is content, and the first closing "
    "tag ends the outer block. The text after it is visible.",
    bad="<think>2 and <think>maybe 3</think>\n",
    good="<think>2 and maybe 3</think>\n",
    by_hand="tags.removed_inner",
)
T006_ANGLE_BRACKET_IN_ATTRIBUTE: Final = warning(
    "'>' ends the tag inside the value of '{attribute}'\nthe rest of the tag is text\nremove the '>' from the value",
    about="The value of an attribute contains `>`. The first `>` ends the tag, even inside quotes. The value is cut "
    "short, and the rest of the tag is content of the block, or visible text after `/>`.",
    bad='<artifact title="a > b">x</artifact>\n',
    good='<artifact title="a over b">x</artifact>\n',
    by_hand="tags.without_bracket",
)
T007_DUPLICATE_ATTRIBUTE: Final = warning(
    "Attribute '{attribute}' is given again after this one\nthe last one counts\nremove this one",
    about="An attribute is given twice. The last one counts, and the others are silently ignored.",
    bad='<artifact id="1" id="2">x</artifact>\n',
    good='<artifact id="2">x</artifact>\n',
    fix="tags.removed_attribute",
    remedy="Removes the attribute that does not count. Safe if both have the same value; otherwise only the author "
    "knows which one was meant.",
)
T008_SLASH_ENDS_UNQUOTED_VALUE: Final = warning(
    "The value of '{attribute}' ends at its first '/'\nthe rest is lost, or read as other attributes\nquote the value",
    about="An unquoted value contains `/`. An unquoted value ends at a space, a `/` or a `>`. Only the beginning of a "
    "path or an address is left; each word after it is read as an attribute.",
    bad="<artifact href=https://example.org/a>x</artifact>\n",
    good='<artifact href="https://example.org/a">x</artifact>\n',
    fix="tags.quoted_value",
    remedy="Puts the whole value in quotes. Unsafe: the value changes.",
)
T009_SWALLOWED_OPENING_BRACKET: Final = warning(
    "Tag hidden by the '<' before it\nit is read as text\nremove that '<', or put a space after it",
    about="A tag comes right after another `<`. A `<` that begins no registered tag consumes its name and one more "
    "character, even a `<`. The tag that begins there is then ordinary text.",
    bad="<<think>2 and 2\n",
    good="<think>2 and 2</think>\n",
    rank=Rank.SPELLING,
    by_hand="tags.bare_tag",
)
T010_SPACED_SELF_CLOSING: Final = warning(
    "'/ >' does not close the tag\nthe tag opens a block\nwrite '/>' without a space",
    about="A self-closing tag has a space inside its `/>`. Only `/>` closes a tag at once. With a space, the tag opens "
    "a block, and the text after it is content.",
    bad='<artifact id="1" / >\nThe answer is 4.\n</artifact>\n',
    good='<artifact id="1" />\nThe answer is 4.\n',
    rank=Rank.SPELLING,
    fix="tags.self_closing_tag",
    remedy="Removes the space, so that the tag has no content. Also removes a later closing tag that is then left "
    "over. Unsafe: text from the block becomes visible.",
)
T011_BLANK_BLOCK: Final = information(
    "The block <{tag}> contains only white space\na program takes it for content\n"
    "write the content, or remove the block",
    about="A block contains nothing but spaces and line ends. Its content is not empty, so a program that checks for "
    "content uses the white space. Models write such blocks when they have nothing to think about. A block without any "
    "content is not reported.",
    bad="<think>\n\n</think>\nThe answer is 4.\n",
    good="<think>2 and 2</think>\nThe answer is 4.\n",
    by_hand="tags.removed_block",
)
T101_UNKNOWN_ATTRIBUTE: Final = warning(
    "<{tag}> has no attribute '{attribute}'\nno program expects this value\n{hint}, or declare it in the settings",
    about="A tag has an attribute that the settings do not declare. The runtime passes it on, but the program that "
    "receives the block expects other names. Reported for tags whose attributes the settings declare, if the tag is "
    "written on one line.",
    toml=ARTIFACT,
    bad='<artifact type="code" titel="A plan">x</artifact>\n',
    good='<artifact type="code" title="A plan">x</artifact>\n',
    fix="texts.written",
    remedy="Writes the most similar declared name. Unsafe: only the author knows which one was meant.",
)
T102_MISSING_ATTRIBUTE: Final = warning(
    "<{tag}> needs the attribute '{attribute}'\nthe settings require it\nadd it to the tag",
    about="A tag lacks an attribute that the settings require. The program that receives the block needs the "
    "attribute. Reported for tags whose attributes the settings declare, if the tag is written on one line.",
    toml=ARTIFACT,
    bad='<artifact title="A plan">x</artifact>\n',
    good='<artifact type="code" title="A plan">x</artifact>\n',
    fixed='<artifact title="A plan" type="code">x</artifact>\n',
    fix="tags.added_attribute",
    remedy="Adds the attribute with the first value that the settings allow, or an empty one. Unsafe: only the author "
    "knows the value.",
)
T103_INVALID_CONTENT: Final = error(
    "The content of <{tag}> is not {kind}\n{reason}; the program that reads the block stops here\n"
    "correct it, or the setting tags.declared.{tag}.content",
    cases={
        "number": "The content of <{tag}> is not a number: '{value}'\nthe program that reads the block expects one\n"
        "write a number alone",
        "call": "The content of <{tag}> is not a call of Qwen\n{reason}; the program that reads the block loses it\n"
        "correct it, or the setting tags.declared.{tag}.content",
        "value": "<{tag}> may not contain '{value}'\nthe program that reads the block expects another content\n"
        "{advice}",
        "repeated": "Repeated key '{key}'\nthe last one counts, and the value of the one before is lost\n"
        "remove one of them",
    },
    about="The content of a block does not match the settings. The program that receives the block parses its content, "
    "and fails. Settings declare the content of a tag: with `content`, JSON, JSON5, a number or a call in the form of "
    "Qwen 3 Coder, or several of these; with `values`, one of several texts. If a key is repeated, the last value "
    "counts. With several kinds, the error is that of the kind that reads most of the content. Reported for contents "
    "up to 64 KB.",
    toml='[tags.declared.tool_call]\ncontent = "json"\n',
    bad='<tool_call>{"name": "read", "path": }</tool_call>\n',
    good='<tool_call>{"name": "read", "path": "a.py"}</tool_call>\n',
    by_hand="tags.removed_block",
)
T104_CONTENT_AGAINST_SCHEMA: Final = error(
    "{path}: {message}\nthe schema of <{tag}> does not allow it\nchange the value",
    cases={
        "unknown": Case("'{name}' is not a property\nthe schema of <{tag}> has no such key\n{advice}", Severity.WARNING)
    },
    about="The schema that the settings give a tag does not allow the content of a block. The program that receives "
    "the block validates its content against the schema, or relies on it. Settings name the schema with `schema`: a "
    "file, or JSON. Errors have the words of zod, as for gadgets.",
    toml='[tags.declared.tool_call]\ncontent = "json"\n'
    'schema = \'{"type": "object", "properties": {"name": {"enum": ["read", "list"]}}, "required": ["name"]}\'\n',
    bad='<tool_call>{"name": "raed"}</tool_call>\n',
    good='<tool_call>{"name": "read"}</tool_call>\n',
    by_hand="tags.removed_block",
)
RULES: Final = rules_in(globals(), "tags")
"""All of them, in the order of their codes."""
