"""Custom blocks: XML-like tags in free text.

Which tags are registered is a matter of settings, which a static grammar cannot know: every tag is coloured here, and
the server's semantic tokens tell the registered ones apart. Tags are coloured one by one, not from opening to closing,
so that an unregistered `<br>` does not turn the rest of a document into its content.
"""

from __future__ import annotations

from tools.generate.syntaxes.rule import Rule, grammar, group, include, match, region

SCOPE = "source.custom-blocks"
NAME = r"[A-Za-z_][\w-]*"


def tags() -> Rule:
    """Return the grammar of custom blocks."""
    begin = "punctuation.definition.tag.begin.custom-blocks"
    end = "punctuation.definition.tag.end.custom-blocks"
    name = "entity.name.tag.custom-blocks"
    # an attribute list may continue over several lines; a `<` in prose must not wait for its `>` there
    value = r"(?:\"[^\">]*\"|'[^'>]*'|[^\s\"'<>/]+)"
    # a `>` ends the tag in quotes too
    closed = r"[\s/](?:\"[^\">]*\"|'[^'>]*'|[^<>\"'])*(?:\"[^\">]*|'[^'>]*)?>"
    listed = rf"(?:\s+[\w-]+(?:\s*=\s*{value})?)*\s*$"
    return grammar(
        SCOPE,
        "Custom Blocks",
        [include("#tags")],
        {
            "tags": group(include("#swallowed"), include("#closing"), include("#opening")),
            # the runtime takes the second bracket for the end of an empty name: no tag begins there
            "swallowed": match(r"<<"),
            "closing": match(rf"(</)({NAME})(>)", "meta.tag.close.custom-blocks", {1: begin, 2: name, 3: end}),
            "opening": region(
                rf"(<)({NAME})(?=/?>|{closed}|{listed})",
                r"(/?>)|(?=<)|^(?=\s*$)",
                name="meta.tag.open.custom-blocks",
                opened={1: begin, 2: name},
                closed={1: end},
                inside=[include("#attribute")],
            ),
            "attribute": group(
                match(
                    r"([\w-]+)(?:\s*(=)\s*((\")[^\">]*(\")?|(')[^'>]*(')?|[^\s\"'<>/]+)?)?",
                    "meta.attribute.custom-blocks",
                    {
                        1: "entity.other.attribute-name.custom-blocks",
                        2: "punctuation.separator.key-value.custom-blocks",
                        3: "string.quoted.custom-blocks",
                        4: "punctuation.definition.string.begin.custom-blocks",
                        5: "punctuation.definition.string.end.custom-blocks",
                        6: "punctuation.definition.string.begin.custom-blocks",
                        7: "punctuation.definition.string.end.custom-blocks",
                    },
                )
            ),
        },
    )
