"""`llmblocks diff`: two texts or two sessions, compared by what they mean; `diff.md` has the rest."""

from __future__ import annotations

from collections import Counter
from html import escape
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from commands import run
from llmblocks.cli.differences import Item, beside

CALL = "!!!GADGET_START:{}\n!!!ARG:path\n{}\n!!!GADGET_END\n"


def test_a_page_has_both_sides_beside_each_other(tmp_path: Path) -> None:
    hostile = "</pre><script>x</script>"
    for name, path in (("a", "src/a.py"), ("b", f"src/{hostile}")):
        (tmp_path / f"{name}.gadget").write_text(CALL.format("Read:r1", "a") + CALL.format("Go:g1", path), "utf-8")
    done = run(tmp_path, "diff", "a.gadget", "b.gadget", "--output-format", "html")
    assert (done.returncode, "<script" in done.stdout) == (1, False)
    assert "1 difference<" in done.stdout
    assert '<td><span class="quiet">path</span><pre>src/<del>a.py</del></pre></td>' in done.stdout
    assert f"<ins>{escape(hostile)}</ins>" in done.stdout
    # what is the same on both sides is there, too
    assert done.stdout.count("call Read r1") == 1
    done = run(tmp_path, "diff", "a.gadget", "a.gadget", "--output-format", "html")
    assert (done.returncode, "They mean the same." in done.stdout) == (0, True)


def test_line_ends_do_not_matter_and_long_values_are_shown_from_where_they_differ(tmp_path: Path) -> None:
    for name, end in (("a", "one"), ("b", "two")):
        text = CALL.format("Read:r1", "x" * 500 + end)
        (tmp_path / f"{name}.gadget").write_text(text, "utf-8", newline="\n")
        (tmp_path / f"{name}-crlf.gadget").write_text(text, "utf-8", newline="\r\n")
    done = run(tmp_path, "diff", "a.gadget", "a-crlf.gadget")
    assert (done.returncode, done.stdout) == (0, "")
    shown = f'~ call Read r1\n    path: …"{"x" * 20}one" → …"{"x" * 20}two"\n'
    assert run(tmp_path, "diff", "a.gadget", "b-crlf.gadget").stdout == shown


ITEMS = st.lists(
    st.builds(
        lambda name, number, inside: Item(
            "call", name, {"n": number}, tuple(Item("text", "", {"": each}) for each in inside)
        ),
        st.sampled_from(("A 1", "A 2", "B 1")),
        st.sampled_from((0, 1, True, None)),
        st.lists(st.sampled_from("xy"), max_size=2),
    ),
    max_size=7,
)


@given(ITEMS, ITEMS)
def test_what_was_added_and_removed_adds_up(before: list[Item], after: list[Item]) -> None:
    changes = [each for each in beside(before, after) if each.kinds]
    assert bool(changes) == ([each.key for each in before] != [each.key for each in after])
    counts = Counter(kind for change in changes for kind in change.kinds)
    assert len(before) + counts["added"] - counts["removed"] == len(after)
    removed = Counter(change.item.key for change in changes if change.kinds == ("removed",))
    added = Counter(change.item.key for change in changes if change.kinds == ("added",))
    assert removed <= Counter(each.key for each in before)
    assert added <= Counter(each.key for each in after)
    # what is the same on both sides neither comes nor goes
    assert not removed & added
    back = Counter(kind for change in beside(after, before) for kind in change.kinds)
    assert (back["added"], back["removed"], back["moved"]) == (counts["removed"], counts["added"], counts["moved"])
