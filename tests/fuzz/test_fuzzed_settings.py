"""Random settings, of files and of clients: nothing raises, every finding has its place, something usable comes out."""

from __future__ import annotations

import json
import logging
import os
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fuzz.odd_settings import some_settings, some_text, some_uri, some_value
from fuzz.rounds import FIRST_SEED, seeds
from llmblocks.facts.severity import Severity
from llmblocks.languages.registry import language_ids
from llmblocks.lsp.client.client import read_client
from llmblocks.lsp.session.session import ServerSession
from llmblocks.lsp.wire.dispatch import Arrival
from llmblocks.lsp.wire.rpc import RequestError
from llmblocks.lsp.wire.uris import path_of
from llmblocks.settings.check import MOST_PROBLEMS, check_settings
from llmblocks.settings.given import DEEPEST, as_given, combined, own_settings
from llmblocks.settings.globs import is_excluded
from llmblocks.settings.sources import Sources, read_settings_text
from llmblocks.settings.toml import find_places

DOCUMENT = "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n<think>x</think>\n@user\n@*/\n"


@pytest.fixture(autouse=True)
def _no_log() -> Iterator[None]:
    """Thousands of warnings say what is asserted anyway."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


def test_a_settings_file_of_any_text_gives_findings_with_places() -> None:
    for seed in seeds(500, 0.4):
        text = some_text(Random(seed))
        file = read_settings_text(text, language_ids())
        assert len(file.findings) <= MOST_PROBLEMS + 1, seed
        for finding in file.findings:
            assert 0 <= finding.start <= finding.end <= len(file.text), seed
            assert len(finding.message) < 1000, seed
        again = check_settings(file.given, language_ids())
        assert (again.problems, again.given) == ((), file.given), seed
        places_agree(file.text, seed)


def places_agree(text: str, seed: int) -> None:
    """If a text is TOML, what the parser reads is what stands at the places."""
    places = find_places(text)
    try:
        whole = tomllib.loads(text)
    except (ValueError, RecursionError):
        return
    if places.refused is not None:
        return
    for path in paths(as_given(whole) or {}, ()):
        assert path in places.spans, (seed, path)
        start, end = places.spans[path]
        last, shown = path[-1], text[start:end]
        if isinstance(last, str) and shown[0] not in "\"'":
            assert shown == last, (seed, path)


def paths(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, each in items:
        if len(path) < DEEPEST // 2:
            yield (*path, step)
            yield from paths(each, (*path, step))


def test_files_that_build_on_one_another_in_any_way_give_settings_and_findings_with_places(tmp_path: Path) -> None:
    names = ("llmblocks.toml", "in/pyproject.toml", "base.toml", "in/b.toml")
    (tmp_path / "in").mkdir()
    for seed in seeds(80, 0.2):
        random = Random(seed)
        for name in names:
            text = some_text(random)
            if random.random() < 0.8:
                target = random.choice((*names, "missing.toml", "in", "../base.toml", "b.toml", ""))
                key = random.choice(("extend", "extend", "gadget.markersFrom"))
                text = f"{key} = '{target}'\n{text}"
            table = "[tool.llmblocks]\n" if "pyproject" in name else ""
            (tmp_path / name).write_text(table + text, encoding="utf-8", newline="")
        sources = Sources(language_ids())
        for name in names:
            layers = sources.layers_of_file(str(tmp_path / name))
            together = combined(layers)
            settings = check_settings(together.given, language_ids()).settings
            assert settings.for_file(str(tmp_path / "a.stf")).per_file_ignores == (), seed
            settings.language_of(str(tmp_path / "a.stf"))
            is_excluded(settings.exclude, str(tmp_path / "in"), str(tmp_path), is_folder=True)
            assert {*chain(*together.origins.values())} <= {layer.origin for layer in layers}, seed
        for file in sources.files().values():
            assert all(0 <= each.start <= each.end <= len(file.text) for each in file.findings), seed


def test_settings_of_a_client_in_any_order_leave_a_server_that_serves(tmp_path: Path) -> None:
    for seed in seeds(60, 0.6):
        # a client's folders and patterns climb at most five folders up
        Session(Random(seed), tmp_path / "a/b/c/d/e", tmp_path).run(40)


def any_settings(random: Random) -> Any:
    return random.choice((some_settings, some_value))(random)


class Session:
    """The settings side of a server, and a client that is not to be trusted; nothing leads out of `around`."""

    def __init__(self, random: Random, folder: Path, around: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.random = random
        self.folder = folder
        self.around = around
        self.root = folder.as_uri()
        self.waiting: list[Any] = []
        self.session = ServerSession("0", self._receive)

    def run(self, steps: int) -> None:
        random = self.random
        folders = [{"uri": some_uri(random, self.root)} for _ in range(random.randrange(4))]
        params: Any = {
            "initializationOptions": any_settings(random),
            "workspaceFolders": random.choice((folders, None)),
            "rootUri": random.choice((some_uri(random, self.root), None)),
            "rootPath": random.choice((None, "relative", "/w", "\0", "")),
            "capabilities": {"workspace": {"configuration": random.random() < 0.7}},
        }
        self.session.configuration.start(read_client(params))
        self.session.configuration.ask()
        for _ in range(steps):
            try:
                self._step()
            except RequestError:
                continue
            self._check()

    def _receive(self, body: bytes) -> None:
        message = json.loads(body)
        # it shows a fault
        assert message["method"] != "window/showMessage", message
        if message["method"] == "workspace/configuration":
            self.waiting.append(message["id"])

    def _step(self) -> None:
        random, configuration = self.random, self.session.configuration
        uri = some_uri(random, self.root)
        kind = random.random()
        if kind < 0.3 and self.waiting:
            answer = [any_settings(random) for _ in range(random.randrange(4))]
            asked = self.waiting.pop(random.randrange(len(self.waiting)))
            result = random.choice((answer, some_value(random)))
            self.session.dispatcher.serve(Arrival({"jsonrpc": "2.0", "id": asked, "result": result}, 0))
        elif kind < 0.45:
            given = {"settings": {"llmblocks": any_settings(random)}}
            configuration.changed(random.choice((None, some_value(random), given)))
        elif kind < 0.6:
            (self.folder / "llmblocks.toml").write_text(some_text(random), encoding="utf-8", newline="")
            named = random.choice((f"{self.root}/llmblocks.toml", uri, None))
            configuration.files_changed({"changes": [{"uri": named, "type": 2}, some_value(random)]})
        elif kind < 0.7:
            event = {"added": [{"uri": uri}], "removed": [{"uri": some_uri(random, self.root)}]}
            configuration.folders_changed({"event": random.choice((event, some_value(random)))})
        elif kind < 0.8:
            configuration.closed({"textDocument": {"uri": uri}})
        else:
            language = random.choice(("gadget", "stf", "custom-blocks", ""))
            configuration.opened({"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": DOCUMENT}})

    def _check(self) -> None:
        for opened in self.session.requests.documents:
            assert self.session.requests.documents.get(opened.uri) is opened
            findings = self.session.config.of(opened.uri).findings
            assert len(findings) <= 2 * (MOST_PROBLEMS + 1)
            # the rules of a folder wait for trust, which is information
            mistakes = [each for each in findings if each.data.get("case") != "rules"]
            assert all(finding.severity in (Severity.ERROR, Severity.WARNING) for finding in mistakes)
            path = path_of(opened.uri)
            assert path is None or path == os.path.normpath(path)
        for name, file in self.session.config.files().items():
            assert name.is_absolute()
            assert os.path.normpath(name) == str(name)
            # a client may name a file anywhere; it is there only in the folders around
            assert name.is_relative_to(self.around) or not file.text
        self.session.publisher.settle()


def test_our_part_of_what_a_client_gives_is_found_at_any_depth() -> None:
    for seed in range(FIRST_SEED, FIRST_SEED + 500):
        value = own_settings(some_value(Random(seed)))
        given = as_given(value)
        checked = check_settings(value if given is None else given, language_ids())
        assert checked.settings == check_settings(checked.given, language_ids()).settings, seed
