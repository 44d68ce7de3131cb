"""Summaries of texts and their merge."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from examples import examples
from laws.texts import GADGET, PLAIN, STF, TAGS, texts
from llmblocks import Settings, check
from llmblocks.gadget import CallEnded, GadgetSchema, GadgetStream
from llmblocks.gadget.schemas.gadgets import Gadgets
from llmblocks.report import (
    NOTHING,
    Example,
    Row,
    Summariser,
    Summary,
    Table,
    difference,
    from_arrow,
    from_json,
    merge,
    merged,
    summarise,
    to_arrow,
    to_json,
    unread,
    wilson,
)
from llmblocks.report.summary import COUNTS, TABLES, bounded, digest, short
from llmblocks.settings.rule_names import RULES

MOST = 64 * 1024
TWICE = "!!!GADGET_START:Write:w1\n!!!ARG:path\na\n!!!ARG:path\na\n!!!GADGET_END\n"
GAP = "!!!GADGET_START:Read\n!!!ARG:paths/0\na\n!!!ARG:paths/2\nb\n!!!GADGET_END\n"
CLEAN = "!!!GADGET_START:Read:r1\n!!!ARG:paths/0\na\n!!!ARG:paths/1\nb\n!!!GADGET_END\n"
CODES = [rule.code for rule in RULES]
NAMES = st.sampled_from([f"{kind}{n}" for kind in ("day/", "é", "a long name of a file " * 5) for n in range(60)])


def row(name: str, number: int, seen: str) -> Row:
    """Return a row of a table, with made-up values."""
    columns = TABLES[name]
    key = tuple([short(f"{part} {number} " * 4) for part in columns.keys])
    return Row(key, (1,) * len(columns.counts), *((seen, seen) if columns.seen else ()))


def made_up(seed: int) -> Summary:
    """Return a summary of a text with as many names as a text can have, so that tables and examples are cut."""
    random, seen = Random(seed), f"text {seed}"
    found: dict[str, Any] = {
        name: bounded(name, [row(name, number, seen) for number in random.sample(range(900), 200)]) for name in TABLES
    }
    sample = [Example(code, seen, seed, random.randrange(99), "x") for code in random.sample(CODES, 40)]
    return merged([Summary(texts=1, unanswered=seed, repeated=2, first=seen, last=seen, examples=(*sample,), **found)])


def summaries() -> st.SearchStrategy[Summary]:
    """Summaries of real texts, of unread ones, and of what is too much to keep."""
    languages = st.sampled_from(["gadget", "stf", "custom-blocks"])
    real = st.builds(
        lambda name, text, language: summarise(name, text, language), NAMES, texts(PLAIN, GADGET, STF, TAGS), languages
    )
    return st.one_of(real, st.builds(unread, NAMES, NAMES), st.builds(made_up, st.integers(0, 50)), st.just(NOTHING))


@settings(max_examples=examples(80), deadline=None)
@given(st.lists(summaries(), max_size=6), st.randoms(use_true_random=False))
def test_summaries_are_merged_in_any_order_and_grouping(parts: list[Summary], random: Random) -> None:
    whole = merged(parts)
    left = [*parts]
    while len(left) > 1:
        one, other = (left.pop(random.randrange(len(left))) for _ in range(2))
        left.append(merge(one, other))
    assert merged(left) == whole
    assert merge(whole, NOTHING) == merge(NOTHING, whole) == whole
    assert hash(whole) == hash(merged(random.sample(parts, len(parts))))


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(summaries(), max_size=4))
def test_a_summary_comes_back_from_json_and_from_bytes(parts: list[Summary]) -> None:
    whole = merged(parts)
    assert from_json(to_json(whole)) == whole
    assert pickle.loads(pickle.dumps(whole)) == whole


def test_a_summary_is_small_whatever_it_is_of() -> None:
    awkward = '\U0001f600"\\' * 50
    name = short(awkward, 120)

    def rows(table: str, keys: Iterable[tuple[str, ...]]) -> Table:
        columns = TABLES[table]
        seen = [short(awkward, 72)] * 2 if columns.seen else ()
        return bounded(table, [Row(key, (10**15,) * len(columns.counts), *seen) for key in keys])

    found: dict[str, Any] = {
        table: rows(table, [tuple([short(f"{part}{n}{awkward}") for part in columns.keys]) for n in range(1000)])
        for table, columns in TABLES.items()
    } | {"rules": rows("rules", [(code,) for code in CODES])}
    sample = [Example(code, name, 10**9, 10**9, short(awkward, 64) + str(n)) for code in CODES for n in range(9)]
    counts: dict[str, Any] = dict.fromkeys(COUNTS, 10**15)
    sizes = tuple([(n, 10**15) for n in range(40)])
    whole = merged([Summary(**counts, sizes=sizes, first=name, last=name, examples=(*sample,), **found)])
    assert all(whole.table(each).cut for each in TABLES if each != "rules"), "each table is full"
    assert {each.key[0] for each in whole.rules.rows} == {*CODES}, "no rule is left out"
    assert 50_000 < len(to_json(whole).encode()) < MOST
    assert len(pickle.dumps(whole)) < MOST


def test_what_is_left_of_a_full_table_is_exact() -> None:
    calls = [f"!!!GADGET_START:gadget number {number % 400}\n!!!GADGET_END\n" for number in range(1200)]
    parts = [summarise(f"{n}", "".join(calls[n : n + 60]), "gadget") for n in range(0, 1200, 60)]
    whole = merged(parts)
    assert whole.calls == 1200
    assert whole.gadgets.cut
    assert 20 < len(whole.gadgets.rows) < 200
    assert {each.counts[0] for each in whole.gadgets.rows} == {3}
    assert all(digest(each.key) < whole.gadgets.cut for each in whole.gadgets.rows)


@settings(max_examples=examples(200), deadline=None)
@given(texts(PLAIN, GADGET))
@example(TWICE + GAP + CLEAN)
def test_calls_are_counted_as_the_stream_gives_them(text: str) -> None:
    # a call without a name has no gadget that could take it
    stream = GadgetStream()
    calls = [event.call for event in [*stream.feed(text), *stream.close()] if isinstance(event, CallEnded)]
    found, findings = summarise("a", text, "gadget"), check(text, "gadget")
    assert (found.calls, found.rejected) == (len(calls), sum(call.error is not None or not call.name for call in calls))
    assert sum(each.counts[0] for each in found.rules.rows) == len(findings) == sum(found.severities)
    assert found.failed == any(each.severity == 1 for each in findings)


def table(found: Table) -> dict[tuple[str, ...], tuple[int, ...]]:
    return {each.key: each.counts for each in found.rows}


def test_a_finding_is_counted_where_it_is() -> None:
    chat = "@user\nHello\n@ai\n<think>\nSo</think>\n" + TWICE + GAP + "@ai\n<think odd=1 odd=2>x</think>\n@foo\n"
    found = summarise("chats/monday.stf", chat)
    assert (found.texts, found.failed, found.calls, found.rejected, found.repaired) == (1, 1, 2, 2, 1)
    assert table(found.gadgets) == {("Write",): (1, 1, 1, 1, 0), ("Read",): (1, 1, 0, 1, 0)}
    assert table(found.arguments) == {("Write", "path"): (2, 1), ("Read", "paths/*"): (2, 1)}
    assert table(found.tags) == {("think",): (2, 1)}
    assert table(found.roles)["user",] == (1, 0)
    assert table(found.places)["G101", "Write", "path", "", "assistant"] == (1,)
    assert table(found.places)["T007", "", "", "think", "assistant"] == (1,)
    assert [each[:4] for each in found.examples if each.code == "G102"] == [("G102", "chats/monday.stf", 15, 14)]


READ = Gadgets([GadgetSchema("Read", "", {"type": "object", "properties": {"paths": {"type": "string"}}})])
RIGHT = '<tool_call>{"name": "Read", "arguments": {}}</tool_call>'
WRONG = RIGHT.replace('"Read",', '"Read"')


@pytest.mark.parametrize(
    ("name", "text", "settings", "counts", "gadgets"),
    [
        # calls of gadgets that no schema has are counted together
        (
            "a.gadget",
            CLEAN + TWICE + TWICE.replace("Write:w1", "Wrote:w2"),
            Settings(gadgets=READ),
            {"calls": 3},
            {"Read": (1, 1, 0, 1, 0), "(unknown)": (2, 2, 0, 4, 0)},
        ),
        # a rejected call is counted although its rule is off
        ("a.gadget", GAP, Settings(ignore=("G102",)), {"rejected": 1}, {"Read": (1, 1, 0, 0, 0)}),
        # a log that repeats others is not counted again
        (".llmist/logs/brave-otter/0001.request", TWICE, None, {"texts": 0, "copies": 1, "calls": 0}, {}),
        # calls in completions, and those that a program does not get
        (
            *("a.completion", f"<think>{RIGHT}</think>{RIGHT}{WRONG}{RIGHT[:20]}", None),
            *({"calls": 2, "rejected": 1}, {"Read": (2, 1, 0, 1, 0)}),
        ),
        ("a.completion", RIGHT + RIGHT[:34], None, {"calls": 2, "rejected": 1}, None),
        ("a.completion", RIGHT + RIGHT[:20], None, {"rejected": 0}, None),
        ("a.completion", RIGHT + WRONG, Settings(ignore=("M",)), {"calls": 2, "rejected": 1}, None),
    ],
)
def test_what_is_counted(
    name: str, text: str, settings: Settings | None, counts: dict[str, int], gadgets: dict[str, tuple[int, ...]] | None
) -> None:
    found = summarise(name, text, settings=settings)
    assert {each: getattr(found, each) for each in counts} == counts
    assert gadgets is None or {each.key[0]: each.counts for each in found.gadgets.rows} == gadgets


def test_findings_outside_of_an_argument_are_not_those_of_an_empty_pointer() -> None:
    text = "!!!GADGET_START:Read:r1\nlost\n!!!ARG:\n1\n!!!ARG:path\na\n!!!GADGET_END\n"
    found = summarise("a", text, "gadget")
    assert [(row.key, row.counts) for row in found.arguments.rows] == [
        (("Read", ""), (1, 1)),
        (("Read", "path"), (1, 0)),
    ]
    assert [(row.key[0], row.counts) for row in found.gadgets.rows] == [("Read", (1, 0, 0, 2, 0))]


def test_the_first_and_the_last_text_of_a_rule_are_reported_by_name() -> None:
    names = ["day/03", "day/01", "day/02"]
    whole = merged([summarise(name, GAP, "gadget") for name in names])
    assert [(each.first, each.last) for each in whole.rules.rows] == [("day/01", "day/03")]
    assert (whole.first, whole.last) == ("day/01", "day/03")


def test_examples_of_a_rule_are_few_and_of_many_texts() -> None:
    whole = merged([summarise(f"{n}.gadget", GAP * 3) for n in range(50)])
    assert len({each.name for each in whole.examples}) == len(whole.examples) == 5


def test_a_text_that_cannot_be_read_is_reported() -> None:
    whole = merge(unread("a.jsonl", "not JSON"), summarise("b.gadget", CLEAN))
    assert (whole.texts, whole.unread) == (1, 1)
    assert whole.examples == (Example("", "a.jsonl", 0, 0, "not JSON"),)


def test_long_names_are_shortened_and_stay_different() -> None:
    one, other = (short("x" * 500 + each + "y" * 500) for each in "12")
    assert one != other
    assert len(one.encode()) <= 60
    assert short("\ud800\n") == "?\\x0a"


def test_a_name_without_a_language_needs_one() -> None:
    with pytest.raises(ValueError, match="does not determine a language: use one of gadget"):
        summarise("a.txt", "")
    with pytest.raises(TypeError, match="summarise"):
        summarise("a.stf", b"")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no language 'x'"):
        Summariser("x")


WRITTEN = to_json(summarise("a.gadget", GAP))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *[(text, ".") for text in ("", "[]", "{}", '{"texts": "1"}', "1", "null", "[" * 100_000)],
        (WRITTEN.replace('"columns":["code",', '"columns":["name",'), "columns"),
        (WRITTEN.replace('"texts":1,', '"texts":true,', 1), "whole number"),
        (WRITTEN.replace('"first":"a.gadget","last"', '"first":1,"last"', 1), "is not a text"),
        (WRITTEN.replace('["Read",1,1,0,1,0]', '["Read",1,1,0]'), "a row of 4 values"),
    ],
)
def test_what_is_not_a_summary_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        from_json(text)


@pytest.mark.parametrize(
    ("interval", "counts", "expected"),
    [
        # as in R: prop.test(x, n, correct = FALSE)
        *((wilson, (0, 10), (0.0, 0.2775)), (wilson, (5, 10), (0.2366, 0.7634))),
        *((wilson, (81, 263), (0.2553, 0.3662)), (wilson, (0, 0), (0.0, 1.0))),
        # table II of Newcombe, Statistics in Medicine 17 (1998), method 10
        *((difference, (56, 70, 48, 80), (0.0524, 0.3339)), (difference, (9, 10, 3, 10), (0.1705, 0.8090))),
        (difference, (0, 0, 1, 2), (-1.0, 1.0)),
    ],
)
def test_an_interval_is_that_of_its_source(
    interval: Callable[..., tuple[float, float]], counts: tuple[int, ...], expected: tuple[float, float]
) -> None:
    assert interval(*counts) == pytest.approx(expected, abs=1e-4)


def test_each_text_in_markdown_is_summarised_at_its_place() -> None:
    indented = "".join([f"  {line}\n" for line in CLEAN.splitlines()])
    page = f"# Calls\n\n```gadget\n{GAP}```\n\n- again\n\n  ```gadget\n{indented}  ```\n"
    found = summarise("page.md", page, "markdown")
    assert (found.texts, found.calls, found.rejected) == (2, 2, 1)
    assert [each[:4] for each in found.examples] == [("G102", "page.md", 7, 14)]
    assert summarise("page.md", "# Nothing\n", "markdown") == NOTHING


def test_summaries_come_back_from_a_table_of_structs() -> None:
    pa = pytest.importorskip("pyarrow")
    some = [*[summarise(f"{n}.stf", f"@user\n<think>{n}\n@ai\n{GAP}") for n in range(3)], NOTHING]
    found = to_arrow(some)
    assert found["texts"].to_pylist() == [1, 1, 1, 0]
    counts = {"calls": 1, "rejected": 1, "repaired": 0, "findings": 1, "failed": 0}
    assert found["gadgets"][0].as_py()["rows"] == [{"gadget": "Read", **counts}]
    assert from_arrow(found) == (*some,)
    with pytest.raises(ValueError, match="not a table of summaries"):
        from_arrow(pa.table({"a": [1]}))
