"""Random traffic on every transport: the server never dies, never hangs, and answers every request exactly once."""

from __future__ import annotations

import json
import subprocess
import time
from collections import Counter
from random import Random
from typing import Any

import pytest
from cattrs.errors import BaseValidationError
from lsprotocol import converters, types

from fuzz.rounds import LONGEST_SILENCE, seeds
from fuzz.traffic import mutated, noise, some_settings, valid
from wire import PATIENCE_S, TRANSPORTS, Wire, frame, notification, request

Json = Any
EPISODE = 400


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_random_traffic_is_survived_and_every_request_answered_once(transport: str) -> None:
    messages = 0
    memory: list[tuple[int, int]] = []
    # the transports are one implementation
    for seed in seeds(6 if transport == "stdio" else 2, 1 / len(TRANSPORTS)):
        episode = Episode(seed, transport)
        # one in eight is long enough to see whether anything grows
        messages += episode.run(EPISODE if seed % 8 else 20 * EPISODE)
        memory.append(episode.memory)
    early, late = max(memory, key=lambda each: each[1])
    print(f"{transport}: {messages} messages in {len(memory)} sessions; the largest server: ", end="")
    print(f"{early / 1e6:.1f} MB after {EPISODE} messages, {late / 1e6:.1f} MB at its end")


class Episode:
    """One session with one server.

    `expected` counts the answers that each id must get; `memory` are the server's bytes early and at the end.
    """

    def __init__(self, seed: int, transport: str = "stdio") -> None:
        self.seed = seed
        self.transport = transport
        self.memory = (0, 0)
        self.random = Random(seed)
        self.expected: Counter[Json] = Counter()
        self.versions: dict[str, int] = {}
        self.asked: list[Json] = []
        self.probes = 0

    def run(self, most: int = EPISODE) -> int:
        random, sent, early = self.random, 0, 0
        # standard error stays unread in every other session
        stderr = subprocess.PIPE if self.seed % 2 else subprocess.DEVNULL
        with Wire(stderr=stderr, transport=self.transport) as wire:
            wire.answers = {"workspace/configuration": [some_settings(random)], "client/registerCapability": None}
            started = random.random() < 0.9
            if started:
                capabilities: Json = {"general": {"positionEncodings": [random.choice(("utf-8", "utf-16", "utf-32"))]}}
                if random.random() < 0.3:
                    capabilities["textDocument"] = {"diagnostic": {}}
                if random.random() < 0.5:
                    capabilities["workspace"] = {"configuration": True}
                wire.initialize(capabilities=capabilities, initializationOptions=some_settings(random))
            else:
                self._probe(wire, PATIENCE_S)
            wire.received.clear()
            self.expected.clear()
            while sent < most:
                sent += self._batch(wire)
                self._probe(wire)
                if not early and sent >= EPISODE:
                    early = wire.rss()
            self.memory = (early, wire.rss())
            self._check_answers(wire)
            self._check_shapes(wire)
            self._end(wire, started)
        return sent

    def _batch(self, wire: Wire) -> int:
        random = self.random
        size = random.randrange(1, 12)
        for _ in range(size):
            request_id: Json = random.choice((len(self.expected) * 7 + 1000, f"id {len(self.expected)}"))
            message = valid(random, request_id, self.versions, self.asked)
            kind = random.random()
            if kind < 0.35:
                message = mutated(random, message)
            if kind > 0.97:
                body = noise(random, message)
                try:
                    message = json.loads(body)
                except (ValueError, RecursionError):
                    self.expected[None] += 1
                    wire.send(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
                    continue
            if isinstance(message, dict) and message.get("method") in ("exit", "shutdown"):
                continue
            if not self._expect(message):
                continue
            wire.send(frame(message))
        return size

    def _expect(self, message: Json) -> bool:
        """Note what a message must be answered; says whether it can be sent."""
        if not isinstance(message, dict):
            self.expected[None] += 1
        elif "id" in message and ("method" in message or not ("result" in message or "error" in message)):
            request_id = message["id"]
            if type(request_id) not in (int, str):
                self.expected[None] += 1
            elif request_id in self.expected:
                return False
            else:
                self.expected[request_id] += 1
                self.asked.append(request_id)
        elif "id" not in message and not isinstance(message.get("method"), str):
            self.expected[None] += 1
        return True

    def _probe(self, wire: Wire, seconds: float = LONGEST_SILENCE) -> None:
        self.probes += 1
        probe = f"probe {self.probes}"
        self.expected[probe] += 1
        wire.send(request(probe, "fuzz/probe"))
        try:
            wire.reply(probe, seconds)
        except TimeoutError as error:
            raise AssertionError(f"seed {self.seed}: silent for {seconds} s") from error

    def _check_answers(self, wire: Wire) -> None:
        # the findings of the workspace come between messages
        until = time.monotonic() + LONGEST_SILENCE
        while self.expected - self._answers(wire) and wire.pump(max(until - time.monotonic(), 0)):
            pass
        answers = self._answers(wire)
        assert answers == self.expected, f"seed {self.seed}: {answers - self.expected} {self.expected - answers}"
        shown = [m for m in wire.received if m.get("method") == "window/showMessage"]
        faults = [m for m in wire.received if m.get("error", {}).get("code") == -32603]
        assert not shown, f"seed {self.seed}: {shown[0]}"
        assert not faults, f"seed {self.seed}: {faults[0]}"

    def _answers(self, wire: Wire) -> Counter[Json]:
        return Counter(m["id"] for m in wire.received if "method" not in m)

    def _check_shapes(self, wire: Wire) -> None:
        converter = converters.get_converter()
        for message in wire.received:
            if message.get("method") == "textDocument/publishDiagnostics":
                try:
                    converter.structure(message["params"], types.PublishDiagnosticsParams)
                except BaseValidationError as error:
                    raise AssertionError(f"seed {self.seed}: {message}") from error

    def _end(self, wire: Wire, started: bool) -> None:
        if self.random.random() < 0.5 or not started:
            wire.send(notification("exit"))
            assert wire.exit_status() == 1
        else:
            assert wire.end(LONGEST_SILENCE) == 0
