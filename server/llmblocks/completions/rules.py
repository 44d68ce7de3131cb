"""The rules of raw completions."""

from __future__ import annotations

from typing import Final

from llmblocks.facts.rule import Case, Rank, error, information, rules_in, warning
from llmblocks.facts.severity import Severity

_CALL = '<tool_call>\n{"name": "get", "arguments": {"city": "Paris"}}\n</tool_call>\n'
_THINK = "<think>\nI look.\n</think>\n"
_TOOLS = (
    '[{"name": "get", "parameters": {"type": "object", "required": ["city"], "properties": {"city": {"type": '
    '"string", "maxLength": 20}, "unit": {"enum": ["c", "f"]}, "days": {"type": "integer"}}}}]'
)
_LOST_CALL = "the program gets no call; transformers loses the whole message"


def _call(arguments: str, name: str = "get") -> str:
    return f'<tool_call>\n{{"name": "{name}", "arguments": {{{arguments}}}}}\n</tool_call>\n'


M001_UNCLOSED_REGION: Final = warning(
    "{opening} is never closed\nall text from here to the end is {field}\nclose it with {close}",
    cases={
        "lost": Case(
            "{opening} is never closed\nits text does not parse: the program gets no call\nclose it with {close}",
            Severity.ERROR,
        )
    },
    unfinished=True,
    about="A region has no closing delimiter. The end of the completion closes the region: an answer after it becomes "
    "part of the reasoning, and a truncated call is lost. The usual cause is a token limit. Not reported if the region "
    "is complete and its delimiter is the model's stop token, such as `</s>`, which servers drop.",
    bad="<think>\nI look.\nIt is 4.\n",
    good=f"{_THINK}It is 4.\n",
    fixed="<think>\nI look.\nIt is 4.\n</think>",
    rank=Rank.STRUCTURE,
    fix="completions.closed",
    remedy="Closes the region at the end. Unsafe: only the model knows where the region should end.",
)
M002_STRAY_CLOSE: Final = warning(
    "{close} closes no region\nit stays in the text\nremove it, or open {field}",
    about="A closing delimiter is outside its region. It closes nothing, and the user sees it. Often the model has "
    "left out the opening delimiter: a call before it is text.",
    bad=f"{_THINK}It is 4.</think>\n",
    good=f"{_THINK}It is 4.\n",
    rank=Rank.STRUCTURE,
    fix="texts.removed",
    remedy="Removes the delimiter. Unsafe: the one that opens the region may be missing instead.",
)
M003_LOST_PREFIX: Final = warning(
    "{close} closes a region of the prompt\n{field} is read as text\npass the prompt as the prefix",
    about="The completion begins inside a region that the prompt has opened. Many chat templates write `<think>` at "
    "the end of the prompt. A parser that sees only the completion takes the reasoning for the answer: give it the "
    "prompt as `prefix`.",
    bad="I look.\n</think>\nIt is 4.\n",
    good=f"{_THINK}It is 4.\n",
    fixed="<think>I look.\n</think>\nIt is 4.\n",
    rank=Rank.STRUCTURE,
    fix="completions.opened",
    remedy="Opens the region at the start. Unsafe: the text before the delimiter becomes part of it.",
)
M004_REGION_IN_REGION: Final = warning(
    "{opening} inside {field} is text\nregions do not nest: the program gets no {inner}\nclose {field} first",
    cases={
        "argument": "{opening} inside '{field}' is text\narguments do not nest: the program gets no '{inner}'\n"
        "close '{field}' with {close}"
    },
    about="A region or an argument begins inside another one. Inside a region, only its own end counts. A call in the "
    "reasoning is part of the reasoning: it never runs, and no error is reported. An argument that another tag closes "
    "contains all text up to the next end of an argument.",
    bad=f"<think>\nI call it.\n{_CALL}</think>\n",
    good=f"{_THINK}{_CALL}",
    by_hand="completions.ended_before",
)
M005_UNREADABLE_CONTENT: Final = error(
    "Not {content}: {reason}\n" + _LOST_CALL + "\n{advice}",
    cases={"delimiter": "{close} inside a string ends {field}\n" + _LOST_CALL + "\nwrite {better} in the string"},
    about="The text of a region does not parse. The region has no value. transformers raises an exception for it, and "
    "everything else in the message is lost.",
    bad='<tool_call>\n{"name": "get", "arguments": {"city": "Paris"}\n</tool_call>\n',
    good=_CALL,
    fix="completions.completed",
    remedy="Adds the quote and the brackets that are missing at the end of the JSON, or escapes the delimiter. Unsafe: "
    "more may be missing.",
    rank=Rank.STRUCTURE,
)
M006_IGNORED_CONTENT: Final = warning(
    "This text in {field} belongs to no argument\nit is dropped without an error\n{advice}",
    about="Some text of a call is not part of an argument. Arguments are read by a pattern. Text that the pattern does "
    "not match, such as an unclosed parameter, is dropped, and the call runs without it.",
    toml='[completion]\ntemplate = "qwen3-coder"\n',
    bad="<tool_call>\n<function=get>\n<parameter=city>\nParis\n</function>\n</tool_call>\n",
    good="<tool_call>\n<function=get>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>\n",
    by_hand="completions.closed_argument",
)
M007_MISSING_PART: Final = error(
    "The text of {field} has no '{part}'\n" + _LOST_CALL + "\nadd it",
    cases={"kind": "The text of {field} cannot be used: {reason}\n" + _LOST_CALL + "\nwrite what the template expects"},
    about="The text of a region parses, but lacks what the template needs. The template builds a call from parts of "
    "the text, such as a name and arguments. Without one of them there is no call.",
    toml='[completion]\ntemplate = "llama3"\n',
    bad='{"name": "get", "arguments": {"city": "Paris"}}<|eom_id|>',
    good='{"name": "get", "parameters": {"city": "Paris"}}<|eom_id|>',
    by_hand="completions.given_part",
)
M008_CUT_DELIMITER: Final = warning(
    "The text ends inside {delimiter}\nthe delimiter does not count\nraise the token limit",
    unfinished=True,
    about="The completion ends in the middle of a delimiter. The model was stopped, usually by a token limit. The "
    "beginning of the delimiter is text.",
    bad="It is 4.\n<tool_c",
    good="It is 4.\n",
    by_hand="texts.removed",
)
M009_MISSPELT_DELIMITER: Final = warning(
    "{text} is not a delimiter\nit is treated as text\nwrite {better} if you mean that one",
    about="A text is nearly a delimiter. Only the exact delimiter counts: another case, spaces or other brackets do "
    "not. A call after a misspelt one is visible text.",
    bad="<Think>\nI look.\n</think>\nIt is 4.\n",
    good=f"{_THINK}It is 4.\n",
    rank=Rank.SPELLING,
    fix="texts.written",
    remedy="Writes the delimiter. Unsafe: the text may be intended.",
)
M010_DROPPED_TEXT: Final = information(
    "This text belongs to no field\nthe program does not get it\nwrite it inside a region",
    cases={
        "header": Case(
            "{text} opens no region\nthe program does not get the text after it\nwrite a delimiter of the template",
            Severity.WARNING,
        )
    },
    about="A text is outside of all regions, and the template has no field for it. A template without a field for the "
    "rest drops all text between regions. After the beginning of a delimiter, such as `<|channel|>` of gpt-oss with a "
    "wrong header, this text may be a call.",
    toml='[completion]\ntemplate = "cohere"\n',
    bad="Hello\n<|START_RESPONSE|>It is 4.<|END_RESPONSE|>",
    good="<|START_RESPONSE|>It is 4.<|END_RESPONSE|>",
    by_hand="texts.removed",
)
M201_UNKNOWN_TOOL: Final = error(
    "Unknown tool '{name}'\nthe call fails\n{advice}",
    about="No tool has the name of a call. The schemas in the settings define the tools. A call of another one fails.",
    bad=_call('"city": "Paris"', "fetch"),
    good=_CALL,
    by_hand="completions.renamed_tool",
)
M202_ARGUMENT_WITHOUT_PARAMETER: Final = warning(
    "'{tool}' has no parameter '{name}'\nthe tool does not expect it\n{advice}",
    about="A tool does not have the parameter of an argument. Usually the name is misspelt, and the argument that is "
    "meant is missing.",
    bad=_call('"city": "Paris", "town": 1'),
    good=_CALL,
    by_hand="completions.other_parameter",
)
M203_MISSING_ARGUMENT: Final = error(
    "'{path}' is missing\nthe call of {tool} fails: {message}\nadd the argument",
    about="A required argument is missing. The schema of the tool requires it.",
    bad=_call('"days": 1'),
    good=_CALL,
    by_hand="completions.given_argument",
)
M204_MISTYPED_ARGUMENT: Final = error(
    "'{path}' has the wrong type\nthe call of {tool} fails: {message}\ncorrect the value",
    about="The type of an argument is not the type in its schema. The tool rejects the call. A text that can be read "
    "as a value of the type is converted, as in transformers.",
    bad=_call('"city": "Paris", "days": "many"'),
    good=_call('"city": "Paris", "days": "2"'),
    by_hand="completions.other_value",
)
M205_NOT_A_CHOICE: Final = error(
    "'{path}' is not an allowed value\nthe call of {tool} fails: {message}\ncorrect the value",
    about="An argument is not one of the values in its schema. The tool refuses the call.",
    bad=_call('"city": "Paris", "unit": "k"'),
    good=_call('"city": "Paris", "unit": "c"'),
    by_hand="completions.other_value",
)
M206_BROKEN_CONSTRAINT: Final = error(
    "'{path}' breaks a constraint\nthe call of {tool} fails: {message}\ncorrect the value",
    about="An argument breaks a constraint of its schema. The tool refuses the call.",
    bad=_call('"city": "A very long name of a city"'),
    good=_CALL,
    by_hand="completions.other_value",
)
RULES: Final = rules_in(globals(), "completions", _TOOLS)
