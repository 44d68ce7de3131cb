"""The promises of the engine: a key to its diagnostics, and the answers after it, beside stock pygls on the same text.

Everyday documents have sections up to 8 KB; the others are one section of 64 KB or 1 MB.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tools.bench.editor import KB, MB, OURS, STOCK, Editor, typed_in_turn
from tools.bench.report import Ratio, save, verdicts
from tools.bench.texts import gadget_document, repeated, stf_document

ROUNDS = 15
ANSWERS = ("foldingRange", "documentSymbol", "diagnostic", "hover", "completion", "semanticTokens/full")
_WORDS = "some words that make this line about as long as lines are, which is sixty letters or more"
_CALL = "!!!GADGET_START:WriteFile:{0}\n!!!ARG:path\nsrc/{0}.py\n!!!ARG:content\n" + _WORDS + "\n!!!GADGET_END\n"
_WRONG = (
    "@user\nWhat is in the files?\n@ai\nI look at them now, all of them.\n"
    + "!!!GADGET_START:Read:r{0}\n!!!ARG:path\nsrc/{0}.py\n!!!ARG:path\nsrc/{0}.ts\n!!!GADGET_END\n"
    + "<think>\n" + f"{_WORDS}\n" * 3 + "</think>\n"
    + "!!!GADGET_START:Merge:m{0}:r{0},x{0}\n!!!ARG:tags/0\na\n!!!ARG:tags/2\nb\n!!!GADGET_END\n"
)  # fmt: skip


def rich_chat(size: int) -> tuple[str, str]:
    """Return a chat with two calls in each answer, and three mistakes in these."""
    return "stf", repeated(_WRONG, size)


def prose(size: int) -> tuple[str, str]:
    return "gadget", repeated(f"{_WORDS}\n", size)


def one_value(size: int) -> tuple[str, str]:
    return "gadget", f"!!!GADGET_START:Call\n!!!ARG:a\n{repeated(f'{_WORDS}{chr(10)}', size)}!!!GADGET_END\n"


def one_message(size: int) -> tuple[str, str]:
    return "stf", "@ai\n" + repeated(_CALL, size)


def arguments(size: int) -> tuple[str, str]:
    lines = repeated("!!!ARG:a{}\nx\n", size - 100)
    return "gadget", f"!!!GADGET_START:Call\n{lines}!!!ARG:last\n{_WORDS}\n!!!GADGET_END\n"


class Promise(NamedTuple):
    """Limits of a kind of document. Milliseconds; `key` is a share of stock pygls on the same text."""

    size: int
    key: float = 0
    p99: float = 0
    answer: float = 0
    key_ms: float = 0


DOCUMENTS: dict[str, Callable[[int], tuple[str, str]]] = {
    "calls": lambda size: ("gadget", gadget_document(size)),
    "chat": lambda size: ("stf", stf_document(size)),
    "chat of calls with mistakes": rich_chat,
}
SECTIONS: dict[str, Callable[[int], tuple[str, str]]] = {
    "one run of prose": prose,
    "one value": one_value,
    "one message of calls": one_message,
    "one call of arguments": arguments,
}
LABELS = {
    "10 KB": Promise(10 * KB, key=1.2, p99=5, answer=20),
    "1 MB": Promise(MB, key=0.5, p99=5, answer=20),
    "10 MB": Promise(10 * MB, key=1.0, answer=250),
}
LONG_LABELS = {"64 KB": Promise(64 * KB, key_ms=15), "1 MB": Promise(MB, key_ms=250)}
RUNS = [
    (f"{name}, {label}", make, promise)
    for makers, labels in ((DOCUMENTS, LABELS), (SECTIONS, LONG_LABELS))
    for name, make in makers.items()
    for label, promise in labels.items()
]


def main() -> None:
    figures: dict[str, object] = {}
    ratios = []
    columns = ("stock", "key p50", "p99", "ratio", "open", "x text", *[each.split("/")[0][:8] for each in ANSWERS])
    print(f"{'ms':36}" + "".join(f"{column:>10}" for column in columns))
    for name, make, promise in RUNS:
        language_id, text = make(promise.size)
        with Editor(OURS, text, language_id) as editor, Editor(STOCK, text, language_id) as stock:
            key, other = typed_in_turn((editor, stock))
            answers = [editor.asked(f"textDocument/{method}", ROUNDS) for method in ANSWERS]
            opened = editor.open_ms
            memory = (editor.open_bytes - editor.idle_bytes) / len(text)
        ratio = key["p50"] / other["p50"]
        row = [other["p50"], key["p50"], key["p99"], ratio, opened, memory, *answers]
        print(f"{name:36}" + "".join(f"{cell:10.3f}" for cell in row), flush=True)
        figures[name] = dict(zip(columns, row, strict=True))
        if promise.key:
            ratios.append(Ratio(f"{name}: a key, to stock pygls", ratio, promise.key))
        if promise.p99:
            ratios.append(Ratio(f"{name}: a key, p99, ms", key["p99"], promise.p99))
        if promise.key_ms:
            ratios.append(Ratio(f"{name}: a key, ms", key["p50"], promise.key_ms))
        if promise.answer:
            ratios.append(Ratio(f"{name}: the slowest answer after a key, ms", max(answers), promise.answer))
    save("section", figures)
    verdicts("section", *ratios)


if __name__ == "__main__":
    main()
