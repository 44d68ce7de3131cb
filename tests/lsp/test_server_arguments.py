"""The command line of `llmblocks server`."""

from __future__ import annotations

import pytest

from llmblocks.cli.arguments import parse


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], {"tcp": None, "ws": None, "log_level": "warning", "clientProcessId": None}),
        (["--stdio"], {"stdio": True}),
        (["--stdio", "--clientProcessId=42"], {"clientProcessId": 42}),
        (["--tcp", "2087"], {"tcp": ("127.0.0.1", 2087)}),
        (["--tcp=0.0.0.0:2087"], {"tcp": ("0.0.0.0", 2087)}),
        (["--tcp", "[::1]:2087"], {"tcp": ("::1", 2087)}),
        (["--log-file", "a=b.log", "--log-level", "DEBUG"], {"log_file": "a=b.log", "log_level": "debug"}),
    ],
)
def test_arguments_are_read(arguments: list[str], expected: dict[str, object]) -> None:
    given, _ = parse(["server", *arguments])
    assert {name: getattr(given, name) for name in expected} == expected


@pytest.mark.parametrize(
    "arguments",
    [["--port", "1"], ["x"], ["--tcp"], ["--tcp", "a:b"], ["--tcp", ""], ["--tcp", "65536"], ["--log-level", "loud"]],
)
def test_what_cannot_be_read_is_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        parse(["server", *arguments])
