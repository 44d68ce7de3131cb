"""The memory left by closed and reanalysed documents, and by a long day of work."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

from llmblocks.cli.explain import settings_of
from llmblocks.core.document import Document
from llmblocks.core.index import Index
from llmblocks.core.section import Remembers, Section
from llmblocks.languages.registry import LANGUAGES
from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.answers.table import TABLE
from llmblocks.lsp.documents.diagnostics import DocumentDiagnostics
from llmblocks.lsp.documents.text import AnalysedText, Languages
from llmblocks.lsp.session import garbage
from llmblocks.lsp.session.session import ServerSession
from llmblocks.lsp.wire.dispatch import arrival
from llmblocks.lsp.wire.params import LspChange, LspRange
from llmblocks.rules.checker import Checker
from llmblocks.settings.rule_names import RULES
from wire import serve_waiting

URI = "file:///log.gadget"
CALL = "!!!GADGET_START:Do:same:missing\n!!!ARG:a\n<think>\n!!!ARG:a\n!!!GADGET_END\n"
TEXT = CALL * 50 + "!!!GADGET_START:Do\n!!!ARG:a\n" + "a line of a long value\n" * 15_000
"""Large enough to be hidden from the collector, with findings about calls and names."""


ASKED = "hover", "codeLens", "completion", "documentSymbol", "foldingRange", "documentLink", "semanticTokens/full"
"""Return the cached answers of sections."""


class Client:
    """A session and what is sent to it."""

    def __init__(self) -> None:
        self.session = ServerSession("0", lambda _: None)
        self._serial = 0

    def notify(self, method: str, params: Any) -> None:
        self._serve({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> None:
        self._serial += 1
        self._serve({"method": method, "params": params, "id": self._serial})

    def _serve(self, message: dict[str, Any]) -> None:
        self.session.inbox.put(arrival(json.dumps({"jsonrpc": "2.0", **message}).encode()))
        serve_waiting(self.session)

    def open(self) -> None:
        item = {"uri": URI, "languageId": "gadget", "version": 1, "text": TEXT}
        self.notify("textDocument/didOpen", {"textDocument": item})
        here = {"line": 2, "character": 1}
        for text in ("x", "!!!GADGET_START:", ""):
            change = {"range": {"start": here, "end": {"line": 2, "character": 3}}, "text": text}
            self.notify("textDocument/didChange", {"textDocument": {"uri": URI}, "contentChanges": [change]})
        for method in ("foldingRange", "semanticTokens/full", "documentSymbol", "hover", "completion"):
            self.ask(f"textDocument/{method}", {"textDocument": {"uri": URI}, "position": here})

    def close(self) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": URI}})

    def reconfigure(self, most: int = 7) -> None:
        self.notify(
            "workspace/didChangeConfiguration", {"settings": {"llmblocks": {"diagnostics": {"maxPerDocument": most}}}}
        )


def alone(check: Callable[..., None], *given: object) -> None:
    """Run a check in its own process: a collection looks at all that lives in one, here at ten thousand tests."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        pool.submit(check, *given).result()


def experienced() -> Client:
    """Return a client that has opened and closed a document before: what is kept for the next one is there."""
    client = Client()
    client.ask("initialize", {"capabilities": {}})
    while client.session.idle():
        pass
    client.open()
    client.close()
    return client


@pytest.mark.slow
@pytest.mark.parametrize("end", [Client.close, Client.reconfigure])
def test_no_cycle_is_left_of_a_large_document(end: Callable[[Client], None]) -> None:
    alone(no_cycle_is_left, end)


def no_cycle_is_left(end: Callable[[Client], None]) -> None:
    client = experienced()
    client.open()
    gc.unfreeze()
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    end(client)
    gc.unfreeze()
    gc.collect()
    # a checker of other settings is one, small and without documents
    parts = Remembers | Document | Index | AnalysedText | DocumentDiagnostics
    assert not (left := [each for each in gc.garbage if isinstance(each, parts)]), left


@pytest.mark.slow
def test_no_answer_about_a_problem_refers_to_its_section() -> None:
    alone(no_section_is_in_a_cycle)


def judged(languages: Languages, text: str, language_id: str) -> AnalysedText:
    found = languages.open(text, language_id, URI, "utf-16")
    assert found is not None
    found.diagnostics()
    return found


def no_section_is_in_a_cycle() -> None:
    gc.disable()
    asked = [feature for feature in TABLE if feature.method.removeprefix("textDocument/") in ASKED]
    assert len(asked) == len(ASKED)
    left: list[object] = []
    for rule in RULES:
        for language in LANGUAGES:
            if rule.layer not in language.layers or language.repeats:
                continue
            languages = Languages(settings_of(rule))
            judged(languages, "", language.id)
            gc.freeze()
            unfinished, _, _ = rule.bad.rstrip("\n").rpartition("\n")
            text = judged(languages, f"{unfinished}\n{rule.bad}\n{unfinished}\n", language.id)
            for line in range(3):
                here = {"line": line, "character": 1}
                text.apply(LspChange(LspRange(line, 0, line, 0), "x"))
                text.diagnostics()
                for feature in asked:
                    feature.reply(Asker(text, {"textDocument": {"uri": URI}, "position": here}))
            del text
            left += [(rule, language.id) for each in gc.get_objects() if isinstance(each, Section)]
    assert not left, left


@pytest.mark.slow
def test_work_between_messages_keeps_no_cycle_for_ever() -> None:
    alone(no_cycle_is_kept)


def no_cycle_is_kept() -> None:
    client = experienced()
    gc.disable()
    garbage._LEAST = 500
    item = {"uri": URI, "languageId": "gadget", "version": 1, "text": CALL}
    client.notify("textDocument/didOpen", {"textDocument": item})

    def checkers() -> int:
        return sum(isinstance(each, Checker) for each in gc.get_objects())

    garbage.sweep()
    before = most = checkers()
    for number in range(1, 60):
        client.reconfigure(number)
        client.session._work.append(iter(()))
        while client.session.idle():
            pass
        if number % 6 == 0:
            most = max(most, checkers())
    assert most - before < 30, (before, most)
