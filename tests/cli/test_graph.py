"""Pictures of any calls; `graph.md` has the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import run
from llmblocks.gadget.graph import build_graph, to_dot, to_mermaid, to_svg, to_text

SVG = "{http://www.w3.org/2000/svg}"


def test_a_picture_says_what_becomes_of_each_call(tmp_path: Path) -> None:
    stuck = "!!!GADGET_START:A:a:b\n!!!GADGET_END\n!!!GADGET_START:B:b:a,gone\n!!!GADGET_END\n"
    twice = "!!!ARG:x\n1\n" * 2
    refused = f"!!!GADGET_START:Read:r\n{twice}!!!GADGET_END\n!!!GADGET_START:W:w:r\n!!!GADGET_END\n"
    command = "graph", "-", "--language", "gadget", "--output-format", "svg"
    done = run(tmp_path, *command, sent=stuck + refused)
    assert done.returncode == 1
    assert all(each in done.stdout for each in ("A a", "gone", 'class="cycle"', "r is rejected"))
    done = run(tmp_path, *command, sent="Hello")
    assert (done.returncode, done.stdout.startswith("<svg ")) == (0, True)


class Named(NamedTuple):
    """A call in a graph."""

    name: str
    invocation_id: str
    dependencies: tuple[str, ...]
    error: str = ""


IDS = st.sampled_from(["a", "b", "c", "", "<&\"'>", "\x00\ud800]", "x\ny"])


@given(st.lists(st.lists(st.tuples(IDS, IDS, st.lists(IDS, max_size=3)), max_size=5), max_size=3))
def test_any_calls_have_a_graph(sessions: list[list[tuple[str, str, list[str]]]]) -> None:
    responses = [
        [Named(name, one, (*needs,), name * (name == one)) for name, one, needs in calls] for calls in sessions
    ]
    graph = build_graph(responses)
    keys = [node.key for node in graph.nodes]
    assert len(keys) == len(set(keys))
    assert {key for edge in graph.edges for key in edge[:2]} <= set(keys)
    assert len([node for node in graph.nodes if node.kind != "unknown"]) == sum(map(len, responses))
    picture = ElementTree.fromstring(to_svg(graph))
    assert len(picture.findall("{*}g")) == len(graph.nodes)
    for write in (to_text, to_mermaid, to_dot):
        assert write(graph)


LONG = "b" * 20


@pytest.mark.parametrize(
    "responses",
    [
        # from wide and narrow calls, over one column and two, up and down
        [{"a": "", LONG: "", "c": "a", "d" * 9: f"a,{LONG},c", "e": f"a,{LONG}", "f": f"e,a,{'d' * 9}"}],
        [{"self": "self"}],
        [{"a": "c", LONG: "a", "c": LONG}, {"a": ""}],
        # over the columns of several responses
        [
            {"a": "", LONG: "", "c": f"a,{LONG}"},
            {"d": "", "e" * 9: "d", "f": f"{'e' * 9},a"},
            {"g": "", "h": "", "i" * 30: "g,h", "k": f"a,{LONG},c,f,{'i' * 30}", "l": "c"},
        ],
    ],
)
def test_arrows_stay_in_their_picture_and_cross_no_call(responses: list[dict[str, str]]) -> None:
    graph = build_graph(
        [[Named("N", each, (*filter(None, given.split(",")),)) for each, given in needs.items()] for needs in responses]
    )
    picture = ElementTree.fromstring(to_svg(graph))
    boxes = [[float(box.attrib[name]) for name in ("x", "y", "width", "height")] for box in picture.iter(f"{SVG}rect")]
    drawn = [path.attrib["d"] for path in picture.findall(f"{SVG}path")]
    assert len(drawn) == len(graph.edges)
    right, bottom = (float(picture.attrib[name]) for name in ("width", "height"))
    for path in drawn:
        for x, y in points(path):
            # the width of a line is in the picture, too
            assert 1 <= x <= right - 1, path
            assert 1 <= y <= bottom - 1, path
            for left, top, width, height in boxes:
                assert not (left < x < left + width - 0.1 and top < y < top + height), path


def points(path: str) -> Iterator[tuple[float, float]]:
    """Points on a path of the commands M, H, V and C."""
    x, y = 0.0, 0.0
    for command, numbers in re.findall(r"([MHVC])([^MHVC]+)", path):
        given = [float(number) for number in re.split("[ ,]", numbers)]
        if command == "M":
            x, y = given
            continue
        end = [*given, y] if command == "H" else [x, *given] if command == "V" else given[-2:]
        x1, y1, x2, y2 = (x, y, *end) if command != "C" else given[:4]
        for step in range(1, 50):
            t = step / 50
            weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
            yield (
                sum(w * v for w, v in zip(weights, (x, x1, x2, end[0]), strict=True)),
                sum(w * v for w, v in zip(weights, (y, y1, y2, end[1]), strict=True)),
            )
        x, y = end


def test_a_call_of_an_earlier_file_is_waited_for_no_more() -> None:
    calls = [Named("B", "b", ("a", "gone"))]
    graph = build_graph([calls], {"a"}.__contains__)
    assert "a<br>in an earlier file" in to_mermaid(graph)
    assert [(node.invocation_id, node.kind) for node in graph.nodes] == [
        ("b", "never ran"),
        ("a", "earlier"),
        ("gone", "unknown"),
    ]
    assert to_text(build_graph([[Named("B", "b", ("a",))]], {"a"}.__contains__)) == "wave 1\n  B b after a\n"
