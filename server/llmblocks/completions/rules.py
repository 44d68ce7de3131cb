"""The rules of raw completions."""

from __future__ import annotations

from typing import Final

from llmblocks.facts.message import Words
from llmblocks.facts.rule import Case, Rank, Rule, rules_in
from llmblocks.facts.severity import Severity

_CALL = '<tool_call>\n{"name": "get", "arguments": {"city": "Paris"}}\n</tool_call>\n'
_THINK = "<think>\nI look.\n</think>\n"
_TOOLS = (
    '[{"name": "get", "parameters": {"type": "object", "required": ["city"], "properties": {"city": {"type": '
    '"string", "maxLength": 20}, "unit": {"enum": ["c", "f"]}, "days": {"type": "integer"}}}}]'
)
_LOST_CALL = "the program gets no call"


def _call(arguments: str, name: str = "get") -> str:
    return f'<tool_call>\n{{"name": "{name}", "arguments": {{{arguments}}}}}\n</tool_call>\n'


UNCLOSED_REGION: Final = Rule(
    "M001",
    Severity.WARNING,
    Words("{opening} is never closed", "all text from here to the end is {field}", "close it with {close}"),
    cases={
        "lost": Case(
            Words("{opening} is never closed", f"its text does not parse: {_LOST_CALL}", "close it with {close}"),
            Severity.ERROR,
        )
    },
    unfinished=True,
    summary="A region has no closing delimiter.",
    why="The end of the completion closes the region: an answer after it becomes part of the reasoning, and a "
    "truncated call is lost. The usual cause is a token limit. Not reported if the region is complete and its "
    "delimiter is the model's stop token, such as `</s>`, which servers drop.",
    bad="<think>\nI look.\nIt is 4.\n",
    good=f"{_THINK}It is 4.\n",
    fixed="<think>\nI look.\nIt is 4.\n</think>",
    rank=Rank.STRUCTURE,
    fix="completions.regions.closed",
    remedy="Closes the region at the end. Unsafe: only the model knows where the region should end.",
    unsafe=True,
)
STRAY_CLOSE: Final = Rule(
    "M002",
    Severity.WARNING,
    Words("{close} closes no region", "it stays in the text", "remove it, or open {field}"),
    summary="A closing delimiter is outside its region.",
    why="It closes nothing, and the user sees it. Often the model has left out the opening delimiter: a "
    "call before it is text.",
    bad=f"{_THINK}It is 4.</think>\n",
    good=f"{_THINK}It is 4.\n",
    rank=Rank.STRUCTURE,
    fix="completions.regions.removed",
    remedy="Removes the delimiter. Unsafe: the one that opens the region may be missing instead.",
    unsafe=True,
)
LOST_PREFIX: Final = Rule(
    "M003",
    Severity.WARNING,
    Words("{close} closes a region of the prompt", "{field} is read as text", "pass the prompt as the prefix"),
    summary="The completion begins inside a region that the prompt has opened.",
    why="Many chat templates write `<think>` at the end of the prompt. A parser that sees only the completion takes "
    "the reasoning for the answer: give it the prompt as `prefix`.",
    bad="I look.\n</think>\nIt is 4.\n",
    good=f"{_THINK}It is 4.\n",
    fixed="<think>I look.\n</think>\nIt is 4.\n",
    rank=Rank.STRUCTURE,
    fix="completions.regions.opened",
    remedy="Opens the region at the start. Unsafe: the text before the delimiter becomes part of it.",
    unsafe=True,
)
REGION_IN_REGION: Final = Rule(
    "M004",
    Severity.WARNING,
    Words(
        "{opening} inside {field} is text", "regions do not nest: the program gets no {inner}", "close {field} first"
    ),
    cases={
        "argument": Case(
            Words(
                "{opening} inside '{field}' is text",
                "arguments do not nest: the program gets no '{inner}'",
                "close '{field}' with {close}",
            )
        )
    },
    summary="A region or an argument begins inside another one.",
    why="Inside a region, only its own end counts. A call in the reasoning is part of the reasoning: it never runs, "
    "and no error is reported. An argument that another tag closes contains all text up to the next end of an "
    "argument.",
    bad=f"<think>\nI call it.\n{_CALL}</think>\n",
    good=f"{_THINK}{_CALL}",
    by_hand="completions.choices.ended_before",
)
UNREADABLE_CONTENT: Final = Rule(
    "M005",
    Severity.ERROR,
    Words("Not {content}: {reason}", f"{_LOST_CALL}; transformers loses the whole message", "{advice}"),
    cases={
        "delimiter": Case(
            Words(
                "{close} inside a string ends {field}",
                f"{_LOST_CALL}; transformers loses the whole message",
                "write {better} in the string",
            )
        )
    },
    summary="The text of a region does not parse.",
    why="The region has no value. transformers raises an exception for it, and everything else in the message is lost.",
    bad='<tool_call>\n{"name": "get", "arguments": {"city": "Paris"}\n</tool_call>\n',
    good=_CALL,
    fix="completions.regions.completed",
    remedy="Adds the quote and the brackets that are missing at the end of the JSON, or escapes the delimiter. Unsafe: "
    "more may be missing.",
    unsafe=True,
    rank=Rank.STRUCTURE,
)
IGNORED_CONTENT: Final = Rule(
    "M006",
    Severity.WARNING,
    Words("This text in {field} belongs to no {part}", "it is dropped without an error", "{advice}"),
    summary="Some text of a call is not part of an argument.",
    why="Arguments are read by a pattern. Text that the pattern does not match, such as an unclosed parameter, is "
    "dropped, and the call runs without it.",
    toml='[completion]\ntemplate = "qwen3-coder"\n',
    bad="<tool_call>\n<function=get>\n<parameter=city>\nParis\n</function>\n</tool_call>\n",
    good="<tool_call>\n<function=get>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>\n",
    by_hand="completions.choices.closed_argument",
)
MISSING_PART: Final = Rule(
    "M007",
    Severity.ERROR,
    Words("The text of {field} has no '{part}'", f"{_LOST_CALL}; transformers loses the whole message", "add it"),
    cases={
        "kind": Case(
            Words(
                "The text of {field} cannot be used: {reason}",
                f"{_LOST_CALL}; transformers loses the whole message",
                "write what the template expects",
            )
        )
    },
    summary="The text of a region parses, but lacks what the template needs.",
    why="The template builds a call from parts of the text, such as a name and arguments. Without one of them there is "
    "no call.",
    toml='[completion]\ntemplate = "llama3"\n',
    bad='{"name": "get", "arguments": {"city": "Paris"}}<|eom_id|>',
    good='{"name": "get", "parameters": {"city": "Paris"}}<|eom_id|>',
    by_hand="completions.choices.given_part",
)
CUT_DELIMITER: Final = Rule(
    "M008",
    Severity.WARNING,
    Words("The text ends inside {delimiter}", "the delimiter does not count", "raise the token limit"),
    unfinished=True,
    summary="The completion ends in the middle of a delimiter.",
    why="The model was stopped, usually by a token limit. The beginning of the delimiter is text.",
    bad="It is 4.\n<tool_c",
    good="It is 4.\n",
    by_hand="completions.regions.removed",
)
MISSPELT_DELIMITER: Final = Rule(
    "M009",
    Severity.WARNING,
    Words("{text} is not a delimiter", "it is treated as text", "write {better} if you mean that one"),
    summary="A text is nearly a delimiter.",
    why="Only the exact delimiter counts: another case, spaces or other brackets do not. A call after a misspelt one "
    "is visible text.",
    bad="<Think>\nI look.\n</think>\nIt is 4.\n",
    good=f"{_THINK}It is 4.\n",
    rank=Rank.SPELLING,
    fix="completions.regions.spelled",
    remedy="Writes the delimiter. Unsafe: the text may be intended.",
    unsafe=True,
)
DROPPED_TEXT: Final = Rule(
    "M010",
    Severity.INFORMATION,
    Words("This text belongs to no field", "the program does not get it", "write it inside a region"),
    cases={
        "header": Case(
            Words(
                "{text} opens no region",
                "the program does not get the text after it",
                "write a delimiter of the template",
            ),
            Severity.WARNING,
        )
    },
    summary="A text is outside of all regions, and the template has no field for it.",
    why="A template without a field for the rest drops all text between regions. After the beginning of a delimiter, "
    "such as `<|channel|>` of gpt-oss with a wrong header, this text may be a call.",
    toml='[completion]\ntemplate = "cohere"\n',
    bad="Hello\n<|START_RESPONSE|>It is 4.<|END_RESPONSE|>",
    good="<|START_RESPONSE|>It is 4.<|END_RESPONSE|>",
    by_hand="completions.regions.removed",
)
UNKNOWN_TOOL: Final = Rule(
    "M201",
    Severity.ERROR,
    Words("Unknown tool '{name}'", "the call fails", "{advice}"),
    summary="No tool has the name of a call.",
    why="The schemas in the settings define the tools. A call of another one fails.",
    gadgets=_TOOLS,
    bad=_call('"city": "Paris"', "fetch"),
    good=_CALL,
    by_hand="completions.choices.renamed_tool",
)
ARGUMENT_WITHOUT_PARAMETER: Final = Rule(
    "M202",
    Severity.WARNING,
    Words("'{tool}' has no parameter '{name}'", "the tool does not expect it", "{advice}"),
    summary="A tool does not have the parameter of an argument.",
    why="Usually the name is misspelt, and the argument that is meant is missing.",
    gadgets=_TOOLS,
    bad=_call('"city": "Paris", "town": 1'),
    good=_CALL,
    by_hand="completions.choices.other_parameter",
)
MISSING_ARGUMENT: Final = Rule(
    "M203",
    Severity.ERROR,
    Words("'{path}' is missing", "the call of {tool} fails: {message}", "add the argument"),
    summary="A required argument is missing.",
    why="The schema of the tool requires it.",
    gadgets=_TOOLS,
    bad=_call('"days": 1'),
    good=_CALL,
    by_hand="completions.choices.given_argument",
)
MISTYPED_ARGUMENT: Final = Rule(
    "M204",
    Severity.ERROR,
    Words("'{path}' has the wrong type", "the call of {tool} fails: {message}", "correct the value"),
    summary="The type of an argument is not the type in its schema.",
    why="The tool rejects the call. A text that can be read as a value of the type is converted, as in transformers.",
    gadgets=_TOOLS,
    bad=_call('"city": "Paris", "days": "many"'),
    good=_call('"city": "Paris", "days": "2"'),
    by_hand="completions.choices.other_value",
)
NOT_A_CHOICE: Final = Rule(
    "M205",
    Severity.ERROR,
    Words("'{path}' is not an allowed value", "the call of {tool} fails: {message}", "correct the value"),
    summary="An argument is not one of the values in its schema.",
    why="The tool refuses the call.",
    gadgets=_TOOLS,
    bad=_call('"city": "Paris", "unit": "k"'),
    good=_call('"city": "Paris", "unit": "c"'),
    by_hand="completions.choices.other_value",
)
BROKEN_CONSTRAINT: Final = Rule(
    "M206",
    Severity.ERROR,
    Words("'{path}' breaks a constraint", "the call of {tool} fails: {message}", "correct the value"),
    summary="An argument breaks a constraint of its schema.",
    why="The tool refuses the call.",
    gadgets=_TOOLS,
    bad=_call('"city": "A very long name of a city"'),
    good=_CALL,
    by_hand="completions.choices.other_value",
)
RULES: Final = rules_in(globals(), "completions")
