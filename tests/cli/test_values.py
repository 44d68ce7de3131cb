"""`llmblocks parse`, `convert` and `graph`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llmblocks.cli.commands import main
from llmblocks.gadget.graph import build
from llmblocks.gadget.graph.build import build_graph, to_dot, to_mermaid, to_text
from llmblocks.gadget.graph.svg import to_svg
from llmblocks.gadget.running.fates import Fate, fates

CALLS = """\
Hi <think>hm</think>
!!!GADGET_START:Read:a
!!!ARG:n
1
!!!GADGET_END
!!!GADGET_START:Write:b:a
!!!ARG:x/0
1
!!!ARG:x/2
1
!!!GADGET_END
"""
STUCK = "!!!GADGET_START:A:a:b\n!!!GADGET_END\n!!!GADGET_START:B:b:a,gone\n!!!GADGET_END\n"
SVG = "{http://www.w3.org/2000/svg}"
CHAT = "@user id=q1\nHi\n@ai\nHello\n"


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = main([str(each) for each in arguments])
    return status, *capsys.readouterr()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"a.gadget": CALLS, "stuck.gadget": STUCK, "a.stf": CHAT, "a.blocks": "x<done/>"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_calls_are_printed_with_their_parameters_or_errors(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "parse", folder / "a.gadget")
    text, block, *rest = json.loads(out)["items"]
    call, wrong = [each for each in rest if each["type"] == "call"]
    assert status == 0
    assert text == {"type": "text", "text": "Hi "}
    assert (block["tag"], block["content"]) == ("think", "hm")
    assert call == {
        "type": "call",
        "name": "Read",
        "id": "a",
        "dependencies": [],
        "parameters": {"n": 1},
        "error": None,
        "errorKind": None,
    }
    assert (wrong["dependencies"], wrong["parameters"]) == (["a"], None)
    assert wrong["error"].startswith("Array index gap")


def test_a_chat_is_printed_as_a_transcript(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "parse", folder / "a.stf")
    assert json.loads(out)["messages"][0] == {"role": "user", "content": "Hi", "id": "q1"}


def test_numbers_that_json_does_not_have_are_null(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "b.gadget").write_text("!!!GADGET_START:A\n!!!ARG:n\n1e999\n!!!GADGET_END\n", encoding="utf-8")
    _, out, _ = run(capsys, "parse", folder / "b.gadget")
    assert "Infinity" not in out
    json.loads(out)


def test_a_tree_shows_places(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "parse", folder / "a.gadget", "--output-format", "tree")
    assert out.splitlines()[:3] == ["block think [1:4]  hm", "call Read:a [2:1]", "  argument n [3:1]  1"]


def test_tokens_cover_the_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "parse", folder / "a.gadget", "--output-format", "tokens")
    assert "".join([json.loads(line.split("\t")[2]) for line in out.splitlines()]) == CALLS


def test_a_folder_and_a_missing_file_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "parse", folder)[::2] == (2, f"llmblocks parse: {folder}: a folder; give one file\n")
    status, _, err = run(capsys, "graph", folder / "none.gadget")
    assert (status, "no such file" in err.lower()) == (2, True)


def test_a_conversion_says_what_is_lost(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "convert", folder / "a.stf", "--to", "openai")
    assert status == 1
    assert json.loads(out) == [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    assert "lost: messages[0].id: " in err


def test_nothing_is_written_if_something_would_be_lost(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = folder / "out.json"
    status, out, err = run(capsys, "convert", folder / "a.stf", "--to", "openai", "--lossless", "--output-file", target)
    assert (status, out, target.exists()) == (2, "", False)
    assert err.endswith("nothing written: --lossless allows no losses\n")


@pytest.mark.parametrize("target", ["stf", "stf-semicolon", "json", "ndjson"])
def test_a_chat_comes_back_from_every_format_that_holds_it(
    folder: Path, capsys: pytest.CaptureFixture[str], target: str
) -> None:
    there = folder / "there"
    assert run(capsys, "convert", folder / "a.stf", "--to", target, "--lossless", "--output-file", there)[0] == 0
    source = "stf" if target.startswith("stf") else target
    status, out, err = run(capsys, "convert", there, "--from", source, "--to", "json")
    assert (status, err) == (0, "")
    assert [each["content"] for each in json.loads(out)["messages"]] == ["Hi", "Hello"]


def test_a_file_without_a_known_format_asks_for_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "convert", folder / "a.blocks", "--to", "stf")
    assert (status, "pass --from with stf, openai" in err) == (2, True)
    (folder / "bad.json").write_text("{", encoding="utf-8")
    status, _, err = run(capsys, "convert", folder / "bad.json", "--to", "stf")
    assert (status, "not JSON" in err) == (2, True)


@pytest.mark.slow
def test_a_converted_chat_is_utf_8_in_any_locale(folder: Path) -> None:
    (folder / "b.stf").write_text("@user\n😀 é\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "llmblocks", "convert", str(folder / "b.stf"), "--to", "stf"],
        capture_output=True,
        check=True,
        env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    )
    assert done.stdout == "@user\n😀 é\n".encode()


def header(names: str, body: str = "") -> str:
    return f"!!!GADGET_START:{names}\n{body}!!!GADGET_END\n"


def test_a_graph_shows_waves_and_what_never_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "good.gadget").write_text(header("Read:a") + header("Write:b:a"), encoding="utf-8")
    good = 0, "wave 1\n  Read a\nwave 2\n  Write b after a\n", ""
    assert run(capsys, "graph", folder / "good.gadget") == good
    status, out, _ = run(capsys, "graph", folder / "stuck.gadget")
    assert status == 1
    assert out.startswith("never ran\n  A a: Circular dependency detected")


def test_a_graph_gives_a_call_without_an_id_the_one_that_llmist_gives_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unnamed = header("Read") + header("Write")
    (folder / "unnamed.gadget").write_text(f"{unnamed}{header('Tell:c:gadget_2')}", encoding="utf-8")
    wanted = "wave 1\n  Read gadget_1\n  Write gadget_2\nwave 2\n  Tell c after gadget_2\n"
    assert run(capsys, "graph", folder / "unnamed.gadget") == (0, wanted, "")


def test_a_graph_shows_a_call_that_is_rejected_and_those_that_wait_for_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = "!!!ARG:x\n1\n!!!ARG:x\n1\n"
    text = header("Read:a", bad) + header("Write:b:a") + header("Tell:c:b") + header("Wait:d:gone")
    (folder / "bad.gadget").write_text(text, encoding="utf-8")
    wanted = (
        "rejected\n  Read a: Duplicate pointer: x\n"
        "skipped\n  Write b: a is rejected\n  Tell c: a is rejected\n"
        'never ran\n  Wait d: Dependency "gone" was never executed\n'
    )
    assert run(capsys, "graph", folder / "bad.gadget") == (1, wanted, "")
    for name in ("mermaid", "dot", "svg"):
        _, out, _ = run(capsys, "graph", folder / "bad.gadget", "--output-format", name)
        assert out.count("a is rejected") >= 2


def test_a_graph_of_a_log_knows_the_calls_of_earlier_ones(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = folder / ".llmist/logs/session"
    logs.mkdir(parents=True)
    (logs / "0001.response").write_text(header("Read:r1"), encoding="utf-8")
    (logs / "0002.response").write_text(header("Write:w1:r1") + header("Tell:t1:r2"), encoding="utf-8")
    status, out, _ = run(capsys, "graph", logs / "0002.response")
    assert (status, out) == (
        1,
        'wave 1\n  Write w1 after r1\nnever ran\n  Tell t1: Dependency "r2" was never executed\n',
    )
    (logs / "0002.response").write_text(header("Write:w1:r1"), encoding="utf-8")
    assert run(capsys, "graph", logs / "0002.response")[0] == 0


def test_each_message_of_a_chat_is_a_response(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    calls = header("Read:a") + header("Write:b:a")
    (folder / "c.stf").write_text(
        f"@ai\n{calls}@user\nok\n@ai\n!!!GADGET_START:Last:c:b\n!!!GADGET_END\n", encoding="utf-8"
    )
    _, out, _ = run(capsys, "graph", folder / "c.stf")
    assert out.splitlines()[-3:] == ["response 2", "  wave 1", "    Last c after b"]


@pytest.mark.parametrize("name", ["mermaid", "dot", "svg"])
def test_every_picture_has_every_call(folder: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    status, out, _ = run(capsys, "graph", folder / "stuck.gadget", "--output-format", name)
    assert status == 1
    assert out.count("A a") >= 1
    assert "gone" in out
    assert "#d13438" in out or 'class="cycle"' in out


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


def test_a_response_is_planned_with_the_calls_that_it_names_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    known: list[int] = []

    def observed(calls: Any, errors: Any, names: Any, failed: Any) -> list[Fate]:
        known.append(len(names))
        return fates(calls, errors, names, failed)

    monkeypatch.setattr(build, "fates", observed)
    build_graph([[Named("A", str(number), (str(number - 1),) if number else ())] for number in range(100)])
    # all of them would cost the square of a session's length
    assert max(known) == 1


@pytest.mark.parametrize(
    ("source", "text", "reason"),
    [
        ("openai", "[[", "this is not JSON: "),
        ("openai", "null", "expected a list of messages, or a request that has one"),
        ("anthropic", "{}", "this is not a request: "),
        ("json", '[{"role": 1}]', "[0].role must be a string"),
        ("ndjson", "[]", "line 1: must be an object"),
    ],
)
def test_a_chat_that_cannot_be_converted_is_named_with_the_reason(
    source: str, text: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "chat"
    file.write_text(text, "utf-8")
    assert main(["convert", str(file), "--from", source, "--to", "stf"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.startswith(f"llmblocks convert: {file}: {reason}")) == ("", True)


def test_a_request_to_a_service_that_is_read_as_our_own_json_is_reported_how_to_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "chat.json"
    image = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    file.write_text(json.dumps([{"role": "user", "content": [image]}]), "utf-8")
    assert main(["convert", str(file), "--to", "stf"]) == 2
    assert capsys.readouterr().err.endswith(
        "; if this is a request to a service, pass --from openai or --from anthropic\n"
    )
    assert main(["convert", str(file), "--to", "stf", "--from", "openai"]) == 0
    assert main(["convert", str(file), "--to", "stf", "--from", "json"]) == 2
    assert "pass --from" not in capsys.readouterr().err


@pytest.mark.parametrize("source", ["openai", "anthropic", "json", "ndjson"])
def test_a_conversion_reads_json_with_a_byte_order_mark_and_refuses_a_key_that_is_given_twice(
    folder: Path, capsys: pytest.CaptureFixture[str], source: str
) -> None:
    message = '{"role": "user", "content": "a"}'
    there = folder / "there.json"
    there.write_text("\ufeff" + (message if source == "ndjson" else f"[{message}]"), encoding="utf-8")
    status, out, err = run(capsys, "convert", there, "--from", source, "--to", "stf", "--lossless")
    assert (status, out, err) == (0, "@user\na\n", "")
    there.write_text(there.read_text(encoding="utf-8").replace('"}', '", "content": "b"}'), encoding="utf-8")
    status, out, err = run(capsys, "convert", there, "--from", source, "--to", "stf", "--lossless")
    assert (status, out) == (2, "")
    assert "an object has the key 'content' twice" in err


@pytest.mark.parametrize(
    ("form", "drawn"),
    [("text", "no calls"), ("mermaid", "flowchart LR"), ("dot", "digraph calls {}"), ("svg", "<svg ")],
)
def test_a_graph_of_a_language_without_calls_is_empty(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, drawn: str
) -> None:
    file = tmp_path / "a.blocks"
    file.write_text("<think>a</think>", "utf-8")
    assert main(["graph", str(file), "--output-format", form]) == 0
    assert capsys.readouterr().out.startswith(drawn)
