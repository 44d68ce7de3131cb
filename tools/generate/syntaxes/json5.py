"""JSON5, flat: no rule of it needs an opening bracket to have been seen.

STF's comment lines may cut a JSON5 body anywhere, and a half-typed one has no closing brackets; keys are therefore told
from strings by the colon after them, not by nesting.
"""

from __future__ import annotations

from tools.generate.syntaxes.rule import Rule, grammar, include, match, region

SCOPE = "source.json5.llmblocks"
ESCAPE = match(r"\\(?:u\h{4}|x\h{2}|.)", "constant.character.escape.json5")
# It begins at no later digit, and what was read is kept: looking for one takes linear time.
NUMBER = r"[-+]?(?<![\w$.])(?:0[xX]\h++|(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?\d++)?+)(?![\w$])"
CUT = match(r"\\$", "constant.character.escape.newline.json5")


def string(quote: str, kind: str) -> Rule:
    """Return a string, which ends at its line's end unless that is escaped."""
    return region(
        quote,
        # "$" also matches after the newline that editors add to a line, where a backslash is no longer seen
        rf"{quote}|(?<![\\\n])$",
        name=f"string.quoted.{kind}.json5",
        opened={0: "punctuation.definition.string.begin.json5"},
        closed={0: "punctuation.definition.string.end.json5"},
        inside=[ESCAPE, CUT],
    )


def key(quote: str) -> Rule:
    """Return a string with a colon after it.

    Looking for one takes linear time: it begins at no quote with a backslash in front, and what was read is kept.
    """
    name = "support.type.property-name.json.json5"
    inside = rf"(?:[^{quote}\\]++|\\.)*+"
    return region(rf"(?<!\\){quote}(?={inside}{quote}\s*:)", quote, name=name, inside=[ESCAPE])


def json5() -> Rule:
    """Return the grammar of JSON5."""
    name = "support.type.property-name.json.json5"
    part = r"(?:[\p{L}\p{N}_$]|\\u\h{4})"
    return grammar(
        SCOPE,
        "JSON5",
        [include("#value")],
        {
            "value": {
                "patterns": [include(f"#{part}") for part in ("comments", "keys", "strings", "literals", "marks")]
            },
            "comments": {
                "patterns": [
                    # not `//.*`: one that another rule comes before would read to the end of the line for nothing
                    region(
                        "//",
                        "$",
                        name="comment.line.double-slash.json5",
                        opened={0: "punctuation.definition.comment.json5"},
                    ),
                    region(r"/\*", r"\*/", name="comment.block.json5"),
                ]
            },
            "keys": {
                "patterns": [key('"'), key("'"), match(rf"(?<!{part})(?:[\p{{L}}_$]|\\u\h{{4}}){part}*+(?=\s*:)", name)]
            },
            "strings": {"patterns": [string('"', "double"), string("'", "single")]},
            "literals": {
                "patterns": [
                    match(r"\b(?:true|false|null)\b", "constant.language.json5"),
                    match(rf"{NUMBER}|[-+]?\b(?:Infinity|NaN)\b", "constant.numeric.json5"),
                    match(r"[\p{L}_$][\p{L}\p{N}_$]*", "invalid.illegal.unquoted-text.json5"),
                ]
            },
            "marks": {
                "patterns": [
                    match(r":", "punctuation.separator.key-value.json5"),
                    match(r",", "punctuation.separator.comma.json5"),
                    match(r"[{}]", "punctuation.definition.object.json5"),
                    match(r"[\[\]]", "punctuation.definition.array.json5"),
                ]
            },
        },
    )
