"""Begin a rule: its row, its test and the stub of its page: `make new-rule CODE=T090 [NAME=blank-block]`."""

from __future__ import annotations

import re
import sys
from typing import Final

from llmblocks.languages.registry import language_with
from llmblocks.settings.rule_names import ALL_RULES, NAMES
from llmblocks.settings.rules import DATA, DOCUMENTS
from tools.generate.generated import ROOT, read

_ROW: Final = """\
{code}_{constant}: Final = warning(
    "what is wrong\\nwhat happens because of it\\nwhat to do",
    about="What it finds, in a sentence. Why it matters, and where it looks.",
    bad="an example with this finding and no other\\n",
    good="the same without it\\n",
{layer})
"""
_TEST: Final = '''\
"""{code} {name}."""

from __future__ import annotations

from {imported}
from marked import unmark


def test_{word}_marks_what_is_wrong() -> None:
    text, marks = unmark("""\\
an example
^^^^^^^^^^ {code}
""")
    found = {call}
    assert [(each.code, each.start, each.end) for each in found] == [tuple(mark) for mark in marks]
'''
_CASES: Final = """\
# {code} {name}

## Marked

```{language}
an example
^^^^^^^^^^ {code}
```

## No finding

```{language}
the same without it
```
"""
_BEGINS: Final = re.compile(r"^([A-Z]\d{3})_[A-Z_0-9]+: Final = [a-z]+\($", re.MULTILINE)
_OF_CONSTANTS: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def main(code: str = "", name: str = "") -> int:
    """Write the row and the test. The exit status is 2 for a code or a name that cannot be."""
    name = name or f"rule-{code.lower()}"
    family = [rule for rule in ALL_RULES if rule.code[:1] == code[:1]]
    if not family or not re.fullmatch(r"[A-Z]\d{3}", code):
        letters = ", ".join(sorted({rule.code[0] for rule in ALL_RULES}))
        sys.stderr.write(f"CODE={code}: a code is one of the letters {letters} and three digits\n")
        return 2
    if code in NAMES or name in NAMES.values() or not _OF_CONSTANTS.fullmatch(name):
        sys.stderr.write(f"CODE={code} NAME={name}: another rule has it, or it is not a name such as blank-block\n")
        return 2
    # that of the rule before it
    layer = max(family, key=lambda rule: (rule.code < code, rule.code)).layer
    of_texts = code[0] not in "CD"
    table = f"server/llmblocks/{layer if of_texts else 'settings'}/rules.py"
    row = _ROW.format(
        constant=name.upper().replace("-", "_"),
        code=code,
        layer="" if of_texts or layer == "stf" else f"    layer={layer.upper().partition(' ')[0]},\n",
    )
    text = read(table)
    after = [found.start() for found in _BEGINS.finditer(text) if found[1] > code]
    place = after[0] if after else text.index("RULES: Final = rules_in(")
    (ROOT / table).write_bytes((text[:place] + row + text[place:]).encode())
    test = f"tests/rules/{code}.md" if of_texts else f"tests/rules/test_{code.lower()}.py"
    (ROOT / test).write_text(_test(code, name, layer), "utf-8")
    line = text.count("\n", 0, place) + 1
    sys.stdout.write(f"{table}:{line}: write its words and examples\n{test}: write its test\n")
    sys.stdout.write(f"docs/rules/{code}.md: its page; `make generate` writes it again\n")
    sys.stdout.write("ARCHITECTURE.md, To add a rule: state its fact\n")
    return 0


def _test(code: str, name: str, layer: str) -> str:
    if code[0] in "CD":
        language = {DATA: "jsonl", DOCUMENTS: "markdown"}.get(layer)
        imported, call = "llmblocks.settings.sources import read_settings_text", "read_settings_text(text, ()).findings"
        if language is not None:
            imported, call = "llmblocks import check", f'check(text, "{language}")'
        return _TEST.format(code=code, name=name, word=name.replace("-", "_"), imported=imported, call=call)
    return _CASES.format(code=code, name=name, language=language_with(layer).id)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
