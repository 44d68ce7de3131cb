"""The server inside one section of 5 MB, and what editors ask for after each change, next to stock pygls at 1 KB."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack

from tools.bench.corpus import gadget_document, stf_document
from tools.bench.editor import Editor
from tools.bench.lsp_bench import MB, OURS, PUBLISHING, STOCK, stock_editor, typed_in_turn
from tools.bench.report import Ratio, save, verdicts

SIZE, COLOURED = 5 * MB, 2 * MB
"""Larger documents are coloured by the ranges that an editor shows: `COLOURED` is the size of those for tokens."""
ROUNDS = 40
COLUMNS = ("stock", "open", "key p50", "p99", "folding", "symbols", "pull", "hover", "complete", "tokens", "delta")
FULL = 3
_WORDS = "some words that make this line about as long as lines are, which is sixty letters or more"


def calls_in_a_message(size: int) -> tuple[str, str]:
    call = "!!!GADGET_START:WriteFile:w{}\n!!!ARG:path\nsrc/{}.py\n!!!ARG:content\n" + _WORDS + "\n!!!GADGET_END\n"
    return "stf", "@ai\n" + "".join(call.format(number, number) for number in range(size // 190))


def arguments_in_a_call(size: int) -> tuple[str, str]:
    arguments = "".join(f"!!!ARG:a{number}\n{_WORDS}\n" for number in range(size // 104))
    return "gadget", f"!!!GADGET_START:Call\n{arguments}!!!GADGET_END\n"


def plain_value(size: int) -> tuple[str, str]:
    return "gadget", f"!!!GADGET_START:Call\n!!!ARG:a\n{f'{_WORDS}{chr(10)}' * (size // 90)}!!!GADGET_END\n"


TEXTS: dict[str, Callable[[int], tuple[str, str]]] = {
    "one message of calls": calls_in_a_message,
    "one call of 50,000 arguments": arguments_in_a_call,
    "one plain value": plain_value,
    "gadget document": lambda size: ("gadget", gadget_document(2 * size)),
    "stf document": lambda size: ("stf", stf_document(2 * size)),
}


def main() -> None:
    with ExitStack() as opened:
        measure([opened.enter_context(stock_editor(peer)) for peer in (STOCK, PUBLISHING)])


def measure(stock_editors: Sequence[Editor]) -> None:
    """Measure and print. Shape: `stock_editors` have stock servers with 1 KB open, each key of ours beside theirs."""
    figures: dict[str, object] = {}
    ratios = []
    print(f"\n{'ms':36}" + "".join(f"{column:>9}" for column in COLUMNS))
    for name, make in TEXTS.items():
        language_id, text = make(SIZE)
        with Editor(OURS.command, text, language_id, OURS.fenced) as editor:
            key, *others = typed_in_turn((editor, *stock_editors))
            stock = min(other["p50"] for other in others)
            folding = editor.asked("textDocument/foldingRange", ROUNDS)
            pull = editor.asked("textDocument/diagnostic", ROUNDS)
            hover = editor.asked("textDocument/hover", ROUNDS)
            completion = editor.asked("textDocument/completion", ROUNDS)
            symbols = editor.asked("textDocument/documentSymbol", FULL)
            opened = editor.open_ms
        with Editor(OURS.command, make(COLOURED)[1], language_id, OURS.fenced) as editor:
            full, delta = editor.tokens(FULL), editor.token_deltas(ROUNDS)
        row = [stock, opened, key["p50"], key["p99"], folding, symbols, pull, hover, completion, full, delta]
        print(f"{name:36}" + "".join(f"{cell:9.3f}" for cell in row), flush=True)
        figures[name] = row
        ratios += [
            Ratio(f"{name}: keystroke, to stock pygls at 1 KB", key["p50"] / stock, 0.5),
            Ratio(f"{name}: folding after an edit, to opening", folding / opened, 1),
            Ratio(f"{name}: outline after an edit, to opening", symbols / opened, 1),
            Ratio(f"{name}: pull diagnostics, to stock pygls at 1 KB", pull / stock, 1),
            Ratio(f"{name}: semantic tokens after an edit, to opening", full / editor.open_ms, 1),
            # each is asked in the same write as a change: a keystroke of ours is part of its time
            Ratio(f"{name}: their delta after an edit, to stock pygls at 1 KB", delta / stock, 1.5),
            Ratio(f"{name}: hover after an edit, to stock pygls at 1 KB", hover / stock, 1.5),
            Ratio(f"{name}: completion after an edit, to stock pygls at 1 KB", completion / stock, 1.5),
        ]
    save("section", figures)
    verdicts("section", *ratios)


if __name__ == "__main__":
    main()
