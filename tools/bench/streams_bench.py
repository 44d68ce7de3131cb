"""Speed of streams by the size of a chunk, beside llmist and transformers, and of whole texts; and that all are linear.

MB are a million characters. The first line says what a slotted dataclass costs here: limits in MB/s were taken where
it cost 68 ns, so they count for a machine by it.
"""

from __future__ import annotations

import gc
import json
import resource
import subprocess
import sys
import tempfile
import timeit
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from time import process_time

from environments import GROUPS, environment
from llmblocks import Settings, check
from llmblocks import stf as chats
from llmblocks.completions import CompletionStream, find_template
from llmblocks.gadget import CallEnded, GadgetStream
from llmblocks.stf import ContentDelta, StfStream, decode, encode
from llmblocks.tags import BlockDefinition, CustomBlocks, TagHandler, TagStream, TextDelta
from tools.bench import texts
from tools.bench.report import Ratio, best, save, verdicts

HERE = Path(__file__).resolve().parent
SIZE, QUARTER, ROUNDS, WHOLE = 1_000_000, 250_000, 3, 1 << 30
CHUNKS = {4: "4", 64: "64", 4096: "4096", WHOLE: "whole"}
COUNTS = (10_000, 100_000)
NAMES = ("think", "interpretation", "done", "debug-info")
TEMPLATE = "hermes"
# to create the events of many small calls, without reading anything, Python needs nine tenths of llmist's time or more
OF_LLMIST = {
    ("one gadget", 4): 30, ("one gadget", 64): 30, ("one gadget", WHOLE): 0,
    ("plain text", 4): 30, ("plain text", 64): 30, ("plain text", WHOLE): 0,
    ("small gadgets", 4): 0.2, ("small gadgets", 64): 0.12, ("small gadgets", WHOLE): 0,
}  # fmt: skip
"""The speed in multiples of llmist's that is asked for; 0 for a figure without a limit."""
OF_TRANSFORMERS = 5
OF_DECODING = {"to_openai": 3, "from_openai": 4, "to_anthropic": 3, "from_anthropic": 4, "to_json": 12, "from_json": 6}
"""The most that a conversion of a chat takes, in multiples of its decoding."""
CHECKED, OF_CHECKING = 5_000_000, 15
"""The size of a text that is checked, and the megabytes a second of one core that are asked for."""
Feed = Callable[[Iterable[str]], object]
Texts = Callable[[int], dict[str, str]]


def gadget(chunks: Iterable[str]) -> int:
    """Return the number of calls with parameters."""
    stream = GadgetStream()
    feed = stream.feed
    events = (event for chunk in chunks for event in feed(chunk))
    calls = sum([type(event) is CallEnded and bool(event.call.parameters) for event in events])
    return calls + sum([type(event) is CallEnded and bool(event.call.parameters) for event in stream.close()])


def stf(chunks: Iterable[str]) -> None:
    stream = StfStream(dialect="@")
    for chunk in chunks:
        stream.feed(chunk)
    stream.close()


def tags(chunks: Iterable[str]) -> None:
    _processed(TagStream({name: TagHandler() for name in NAMES}), chunks)


def blocks(chunks: Iterable[str]) -> None:
    _processed(CustomBlocks({name: BlockDefinition(transform=lambda block: []) for name in NAMES}), chunks)


def _processed(stream: TagStream | CustomBlocks, chunks: Iterable[str]) -> None:
    process = stream.process
    for chunk in chunks:
        process(TextDelta(chunk))
    stream.flush()


def completion(chunks: Iterable[str]) -> None:
    stream = CompletionStream(find_template(TEMPLATE).template)
    for chunk in chunks:
        stream.feed(chunk)
    stream.close()


STREAMS: dict[str, tuple[Feed, Texts]] = {
    "gadget": (gadget, lambda size: texts.gadget(size) | texts.gadget_hostile(size)),
    "stf": (stf, lambda size: texts.stf(size) | texts.stf_hostile(size)),
    "tags": (tags, lambda size: texts.tags(size) | texts.tags_hostile(size)),
    "blocks": (blocks, texts.tags),
    "completion": (completion, lambda size: {"a completion": texts.completion(size)}),
}
ASKED = {"one tag": 50, "5,000 tags": 50, "HTML, unregistered tags": 50, "plain text": 400}
"""MB/s of `TagStream` in chunks of 64."""


def chunked(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def seconds(feed: Feed, text: str, size: int, rounds: int = ROUNDS) -> float:
    return best(partial(feed, chunked(text, size)), rounds)


def speeds(unit: float) -> tuple[dict[str, object], list[Ratio]]:
    """Return the speed of each stream on each text, and how its time grows from a quarter of the text to all of it."""
    rows: dict[str, object] = {}
    ratios = []
    print(f"{'MB/s, by characters a chunk':40}" + "".join(f"{name:>9}" for name in CHUNKS.values()) + f"{'growth':>9}")
    for name, (feed, make) in STREAMS.items():
        quarters = make(QUARTER)
        for title, text in make(SIZE).items():
            taken = {size: seconds(feed, text, size) for size in CHUNKS}
            row = {size: len(text) / each / 1e6 for size, each in taken.items()}
            quarter = quarters[title]
            growth = taken[64] / len(text) / (seconds(feed, quarter, 64) / len(quarter))
            print(f"{f'{name}, {title}':40}" + "".join(f"{each:9.1f}" for each in row.values()) + f"{growth:9.2f}")
            rows[f"{name}, {title}"] = [*row.values(), growth]
            ratios.append(Ratio(f"{name}, {title}: time of a character, to that in a quarter", growth, 1.67))
            if name == "tags" and title in ASKED:
                ratios.append(Ratio(f"tags, {title}: MB/s asked", ASKED[title] / (row[64] * unit / 68), 1))
    return rows, ratios


def beside_llmist() -> tuple[dict[str, float], list[Ratio]]:
    """Return our speed in multiples of llmist's, which Node runs on the same texts. Both count the calls."""
    made = texts.gadget(QUARTER)
    rounds = {each: 1 if each[1] == 4 else 3 for each in OF_LLMIST}
    with tempfile.TemporaryDirectory() as folder:
        files = {name: Path(folder) / f"{number}.txt" for number, name in enumerate(made)}
        for name, text in made.items():
            files[name].write_text(text, encoding="utf-8", newline="\n")
        # 0 is the whole text
        given = [str(each) for (name, size), n in rounds.items() for each in (files[name], size % WHOLE, n)]
        done = subprocess.run(["node", str(HERE / "llmist_stream.mjs"), *given], capture_output=True, check=True)
    figures, ratios = {}, []
    for (name, size), (theirs, calls) in zip(OF_LLMIST, json.loads(done.stdout), strict=True):
        assert calls == gadget([made[name]]), name
        ratio = theirs / seconds(gadget, made[name], size)
        title = f"{name}, chunks of {CHUNKS[size]}"
        print(f"{title:40}{ratio:9.2f} times the speed of llmist")
        figures[title] = ratio
        if asked := OF_LLMIST[name, size]:
            ratios.append(Ratio(f"{title}: speed asked, of llmist's", asked / ratio, 1))
    return figures, ratios


def beside_transformers() -> tuple[dict[str, float], list[Ratio]]:
    """Return our speed in multiples of transformers', in processor time of separate processes."""
    python = environment("transformers", GROUPS["transformers"])
    text, figures = texts.completion(64_000), {}
    for size in (4, 64, WHOLE):
        chunks = chunked(text, size)
        asked = {"template": find_template(TEMPLATE).template.value, "chunks": chunks, "rounds": ROUNDS}
        command = [python, str(HERE / "transformers_stream.py")]
        done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True)
        theirs, ours = float(done.stdout), float("inf")
        for _ in range(ROUNDS):
            start = process_time()
            completion(chunks)
            ours = min(ours, process_time() - start)
        figures[CHUNKS[size]] = theirs / ours
        speed = f"{len(text) / ours / 1e6:.1f} MB/s, {theirs / ours:.1f} times the speed of transformers"
        print(f"{f'a completion, chunks of {CHUNKS[size]}':40}{speed:>9}")
    return figures, [
        Ratio("completions in chunks of 4: speed asked, of transformers'", OF_TRANSFORMERS / figures["4"], 1)
    ]


def decoding(unit: float) -> tuple[dict[str, float], list[Ratio]]:
    """Return MB/s of whole chats, read and written."""
    figures: dict[str, float] = {}
    ratios = []
    for make in (texts.conversation, texts.conversation_with_arguments, texts.conversation_with_everything):
        name, each = make.__name__.replace("_", " "), []
        for count in COUNTS:
            text = make(count)
            taken = best(partial(decode, text), ROUNDS)
            rate = figures[f"decode, {name}, {count:,}"] = len(text) / taken / 1e6
            print(f"{f'decode, {name}, {count:,}':48}{rate:9.1f} MB/s{taken / count * 1e6:9.2f} µs a message")
            each.append(taken / count)
            if make is not texts.conversation_with_everything:
                ratios.append(Ratio(f"decode, {name}, {count:,}: 30 MB/s", 30 / (rate * unit / 68), 1))
        ratios.append(
            Ratio(f"decode, {name}: a message of {COUNTS[1]:,} to one of {COUNTS[0]:,}", each[1] / each[0], 1.25)
        )
    transcript = decode(texts.conversation(COUNTS[0]))
    figures["encode"] = len(encode(transcript)) / best(partial(encode, transcript)) / 1e6
    print(f"{f'encode, {COUNTS[0]:,} messages':48}{figures['encode']:9.1f} MB/s")
    return figures, ratios


def converting() -> tuple[dict[str, float], list[Ratio]]:
    """Return microseconds a message of the converters, beside those of decoding the same chat."""
    made = {count: decode(texts.conversation(count)) for count in (COUNTS[0] // 10, COUNTS[0])}
    few, many = made
    whole = texts.conversation(many)
    figures = {"decode": best(partial(decode, whole)) / many * 1e6}
    ratios = []
    for name, limit in OF_DECODING.items():
        to, convert = getattr(chats, name.replace("from", "to")), getattr(chats, name)
        # a converted chat may be a value beside what is lost
        given = made if convert is to else {n: getattr(to(each), "value", to(each)) for n, each in made.items()}
        costs = {count: best(partial(convert, each)) / count * 1e6 for count, each in given.items()}
        print(f"{name:40}{costs[few]:9.2f}{costs[many]:9.2f} µs a message, of {few:,} and of {many:,}")
        figures[name] = costs[many]
        ratios += [
            Ratio(f"{name}: to decoding", costs[many] / figures["decode"], limit),
            Ratio(f"{name}: a message of {many:,} to one of {few:,}", costs[many] / costs[few], 2.5),
        ]
    return figures, ratios


def checking() -> tuple[dict[str, float], list[Ratio]]:
    """Return the MB/s of a core at which texts are checked."""
    # as the command does: what is loaded stays
    gc.set_threshold(50_000)
    makers = {"gadget": texts.gadget_document, "stf": texts.stf_document, "completion": texts.completion}
    figures = {}
    for language_id, make in makers.items():
        text = make(CHECKED)
        figures[language_id] = len(text) / best(partial(check, text, language_id, Settings())) / 1e6
        print(f"{f'check, {language_id}':40}{figures[language_id]:9.1f} MB/s a core")
    ratios = [Ratio(f"check, {name}: {OF_CHECKING} MB/s", OF_CHECKING / each, 1) for name, each in figures.items()]
    return figures, ratios


def memory() -> float:
    """Megabytes that a process grows while a 100 MB response is streamed and every event dropped."""
    made = texts.gadget(SIZE)
    small, large = chunked(made["small gadgets"], 64), chunked(made["one gadget"], 64)
    stream, before = GadgetStream(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in range(100):
        for chunk in large if number % 10 == 9 else small:
            stream.feed(chunk)
    stream.close()
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def main() -> None:
    if sys.argv[1:] == ["--memory"]:
        print(memory())
        return
    unit = min(timeit.repeat(lambda: ContentDelta("x"), number=200_000, repeat=5)) / 200_000 * 1e9
    print(f"a slotted dataclass: {unit:.0f} ns (68 where the limits were taken)\n")
    parts = {
        "speeds": speeds(unit),
        "llmist": beside_llmist(),
        "transformers": beside_transformers(),
        "decoding": decoding(unit),
        "converting": converting(),
        "checking": checking(),
    }
    command = [sys.executable, "-m", "tools.bench.streams_bench", "--memory"]
    most = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    save("streams", {name: figures for name, (figures, _) in parts.items()} | {"memory": most})
    ratios = [ratio for _, found in parts.values() for ratio in found]
    verdicts("streams", *ratios, Ratio("memory for a response of 100 MB, MB", most, 50))


if __name__ == "__main__":
    main()
