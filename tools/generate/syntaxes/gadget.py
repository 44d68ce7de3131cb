"""Gadget calls, alone and in the messages of both dialects of STF.

Only the default markers: custom ones are a matter of settings, which a static grammar cannot know. The server's
semantic tokens colour those.
"""

from __future__ import annotations

from tools.generate.syntaxes.host import HOSTS, Host
from tools.generate.syntaxes.languages import LANGUAGES, file_pattern, name_pattern
from tools.generate.syntaxes.rule import Rule, grammar, group, include, lines, match, region

SCOPE = "source.gadget"
START, ARG, END = "!!!GADGET_START:", "!!!ARG:", "!!!GADGET_END"
MARKER = rf"(?:{START}|{ARG}|{END})"
UPTO_MARKER = rf"(?:(?!{MARKER}).)"
# "\\G" alone is also where the line after a marker without pointer begins
POINTER = region(rf"(?<={ARG})\G(?!$|{MARKER})", rf"(?={MARKER})|$", inside=[include("#pointer")])
SEGMENT = rf"(?:(?!{MARKER})[^/\n])*+"

# the last segments of pointers whose value tells the language of a `CONTENT` value, by file extension or by name
PATHS = "filePath file_path filepath path file fileName file_name filename language lang"
CONTENT = (
    "content contents code source newContent new_content oldContent old_content "
    "newString new_string oldString old_string replacement"
)
# what the runtime takes for a number: `1e5` and `.5` are texts
NUMBER = r"-?\d+(?:\.\d+)?"


def gadget() -> Rule:
    """Return the grammar of gadget calls."""
    repository: dict[str, Rule] = {
        "pointer": group(
            match(rf"(?<=[/\s:])\d++(?=/|\s*(?:$|{MARKER}))", "constant.numeric.index.gadget"),
            match("/", "punctuation.separator.pointer.gadget"),
            match(rf"(?:(?!{MARKER})[^/\n])+", "entity.other.attribute-name.pointer.gadget"),
        ),
        "dependencies": group(
            match(r"[,:]", "punctuation.separator.dependency.gadget"),
            match(r"[^,:\s](?:[^,:]*[^,:\s])?", "variable.other.readwrite.dependency.gadget"),
        ),
        "text": group(
            match(rf"{ARG}|{END}", "invalid.illegal.stray-marker.gadget"), include("source.custom-blocks#tags")
        ),
    }
    for host in HOSTS:
        repository |= _hosted(host)
    return grammar(SCOPE, "Gadget Calls", [include("#calls"), include("#fences"), include("#text")], repository)


def _hosted(host: Host) -> dict[str, Rule]:
    key = host.key
    over = rf"(?={START}|{END})" + (rf"|^(?={host.end})" if host.end else "")
    argument_over = rf"(?={MARKER})" + (rf"|^(?={host.end})" if host.end else "")
    # no segment continues after a marker: a line of many markers is read once
    path = rf"(?:{SEGMENT}/)*+(?:{'|'.join(PATHS.split())})"
    content = rf"(?:{SEGMENT}/)*+(?:{'|'.join(CONTENT.split())})"
    call = region(
        rf"({START})([^:\n]*)(?:(:)([^:\n]*)(?:(:)(.*))?)?$",
        rf"({END})|{over}",
        name="meta.call.gadget",
        opened={
            1: "keyword.control.start.gadget",
            2: "entity.name.function.gadget",
            3: "punctuation.separator.header.gadget",
            4: "variable.other.constant.invocation.gadget",
            5: "punctuation.separator.header.gadget",
            6: {"patterns": [include("#dependencies")]},
        },
        closed={1: "keyword.control.end.gadget"},
        inside=[
            *host.inside,
            include(f"#path-argument{key}"),
            include(f"#argument{key}"),
            match(rf"{UPTO_MARKER}+", "comment.block.ignored.gadget"),
        ],
    )
    return {
        f"calls{key}": group(call),
        f"argument{key}": _argument(host, "", argument_over, include(f"#value{key}")),
        f"value{key}": lines(
            _value_begin(host),
            _value_keep(host),
            inside=[
                region(
                    rf"^[ \t]*({NUMBER})[ \t]*$",
                    r"(?!)",
                    opened={1: "constant.numeric.value.gadget"},
                    inside=[include(f"#string{key}")],
                ),
                region(
                    r"^[ \t]*(true|false)[ \t]*$",
                    r"(?!)",
                    opened={1: "constant.language.boolean.value.gadget"},
                    inside=[include(f"#string{key}")],
                ),
                region("^", r"(?!)", inside=[include(f"#string{key}")]),
            ],
        ),
        f"string{key}": group(include(f"#fences{key}"), match(r".+", "string.unquoted.value.gadget")),
        # from the argument that names a file on, its language is known, up to the next such argument
        f"path-argument{key}": region(
            rf"({ARG})(?={path}\s*$)",
            rf"{over}|(?={ARG}{path}\s*$)",
            opened={1: "keyword.control.argument.gadget"},
            inside=[
                POINTER,
                *(include(f"#{language.id}-file{key}") for language in LANGUAGES),
                *host.inside,
                include(f"#argument{key}"),
                match(rf"{UPTO_MARKER}+", "string.unquoted.value.gadget"),
            ],
        ),
        **{
            f"{language.id}-file{key}": region(
                rf"^((?:{file_pattern(language)}|(?i:{name_pattern(language)})))\s*$",
                rf"{over}|(?={ARG}{path}\s*$)",
                opened={1: "string.unquoted.value.gadget"},
                inside=[
                    *host.inside,
                    _argument(
                        host,
                        rf"{content}\s*$",
                        argument_over,
                        lines(
                            _value_begin(host),
                            _value_keep(host),
                            content=f"meta.embedded.block.{language.id}",
                            inside=[include(language.scope)],
                        ),
                    ),
                    include(f"#argument{key}"),
                ],
            )
            for language in LANGUAGES
        },
        f"fences{key}": group(
            *(include(f"#{language.id}-fence{key}") for language in LANGUAGES), include(f"#plain-fence{key}")
        ),
        f"plain-fence{key}": _fence(host, r"([^`\n]*)", None),
        **{
            f"{language.id}-fence{key}": _fence(
                host, rf"((?i:{name_pattern(language)})(?:[\s:,{{][^`\n]*)?)", language.id
            )
            for language in LANGUAGES
        },
    }


def _argument(host: Host, pointer: str, over: str, value: Rule) -> Rule:
    """Return an argument.

    Its pointer is its own region: the tokenizer copies a line for each capture with rules.
    """
    return region(
        rf"({ARG})(?={pointer})",
        over,
        opened={1: "keyword.control.argument.gadget"},
        inside=[*host.inside, POINTER, value, match(rf"{UPTO_MARKER}+", "string.unquoted.value.gadget")],
    )


def _value_begin(host: Host) -> str:
    return rf"(?:\G(?=$)|^{_not_stopped(host)}(?!.*{MARKER}))"


def _value_keep(host: Host) -> str:
    return rf"^{_not_stopped(host)}(?!.*{MARKER})"


def _not_stopped(host: Host) -> str:
    return rf"(?!{host.stop})" if host.stop else ""


def _fence(host: Host, info: str, language: str | None) -> Rule:
    """Return a code fence, which a marker ends as surely as its closing line does."""
    stopped = rf"|^(?={host.stop})" if host.stop else ""
    scopes = {entry.id: entry.scope for entry in LANGUAGES}
    inside = lines(
        # "\G" is also where a line begins that has just ended this: one with a marker in it
        rf"\G(?!.*{MARKER})",
        rf"^{_not_stopped(host)}(?!\s*```+\s*$)(?!.*{MARKER})",
        content=f"meta.embedded.block.{language}" if language else None,
        inside=[include(scopes[language])] if language else [match(".+", "markup.raw.block.gadget")],
    )
    return region(
        rf"^(?!.*{MARKER})\s*(```+)\s*{info}$",
        rf"^\s*(```+)\s*$|(?={MARKER}){stopped}",
        name="markup.fenced_code.block.gadget",
        opened={1: "punctuation.definition.fence.gadget", 2: "fenced_code.block.language.gadget"},
        closed={1: "punctuation.definition.fence.gadget"},
        inside=[inside],
    )
