"""`llmblocks diff`: two texts or two sessions, compared by what they mean."""

from __future__ import annotations

from collections import Counter
from html import escape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llmblocks.cli.commands import main
from llmblocks.cli.differences import Item, beside

CALL = "!!!GADGET_START:{}\n!!!ARG:{}\n{}\n!!!GADGET_END\n"
FIRST = (
    CALL.format("Read:r1", "path", "a.txt")
    + CALL.format("Find:f1:r1", "names/0", "x")
    + CALL.format("Tell:t1", "n", "1")
)


def differ(folder: Path, capsys: pytest.CaptureFixture[str], before: str, after: str, end: str = "gadget") -> str:
    """Return the command's report about two files; empty if they mean the same."""
    for name, text in (("a", before), ("b", after)):
        (folder / f"{name}.{end}").write_text(text, "utf-8", newline="")
    status = main(["diff", str(folder / f"a.{end}"), str(folder / f"b.{end}")])
    told = capsys.readouterr().out
    assert status == int(bool(told))
    return told


def test_how_a_response_is_written_does_not_matter(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = "\n\n" + FIRST.replace("!!!GADGET_START:Tell", "\n!!!GADGET_START:Tell").replace("\n", "\r\n")
    assert differ(tmp_path, capsys, FIRST, other) == ""


def test_a_page_has_both_sides_beside_each_other(tmp_path: Path) -> None:
    hostile = "</pre><script>x</script>"
    for name, path in (("a", "src/a.py"), ("b", f"src/{hostile}")):
        (tmp_path / f"{name}.gadget").write_text(FIRST + CALL.format("Go:g1", "path", path), "utf-8")
    files, page = [str(tmp_path / name) for name in ("a.gadget", "b.gadget")], tmp_path / "page.html"
    assert main(["diff", *files, "--output-format", "html", "--output-file", str(page)]) == 1
    html = page.read_text("utf-8")
    assert "<script" not in html
    assert "1 difference<" in html
    assert '<td><span class="quiet">path</span><pre>src/<del>a.py</del></pre></td>' in html
    assert f"<ins>{escape(hostile)}</ins>" in html
    # what is the same on both sides is there, too
    assert html.count("call Read r1") == 1
    assert main(["diff", files[0], files[0], "--output-format", "html", "--output-file", str(page)]) == 0
    assert "They mean the same." in page.read_text("utf-8")


def test_long_values_are_shown_from_where_they_differ(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = (CALL.format("Read:r1", "path", "x" * 500 + end) for end in ("one", "two"))
    assert differ(tmp_path, capsys, before, after) == f'~ call Read r1\n    path: …"{"x" * 20}one" → …"{"x" * 20}two"\n'


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
