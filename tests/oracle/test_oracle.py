"""After every change, all that a client has been reported is what the oracle reads in the text.

The oracle is a second, plain implementation: it reads the whole text, from the formats' descriptions, and keeps nothing
(`tokens`, `tags`, `gadgets`, `stf`, `whole`; `findings` and `views` on top of these). The client (`client`) drives the
real session and keeps what it is reported. `checks` compares the two: a new feature is one more function there.

LLMBLOCKS_LAWS scales the number of documents, LLMBLOCKS_FUZZ_SEED chooses others. A failure prints the shrunk document
and edits.
"""

from __future__ import annotations

import os
from functools import cache

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from examples import LAWS
from llmblocks.core import sequence
from llmblocks.settings.rule_names import RULES
from oracle import percent, whole
from oracle.checks import check
from oracle.client import Client, Document, Profile, applied
from oracle.findings import CODES, ELSEWHERE
from oracle.texts import PIECES, Edit, edits, texts

DOCUMENTS = max(LAWS // 8, 10)
SEED = int(os.environ.get("LLMBLOCKS_FUZZ_SEED", "1"))
PROFILES = (
    Profile("utf-16"),
    Profile("utf-8", most=3),
    Profile("utf-32", pulls=True),
    Profile("utf-16", pulls=True, most=1),
    Profile("utf-8", pulls=True, known=False),
    Profile("utf-16", most=2),
    Profile("utf-16", schemas=True),
    Profile("utf-8", pulls=True, known=False, schemas=True),
    Profile("utf-16", by_role=True),
)


@cache
def client(profile: Profile) -> Client:
    with pytest.MonkeyPatch.context() as patch:
        if profile.known:
            percent.installed(patch)
        return Client(profile)


def test_the_oracle_knows_each_rule_about_the_text() -> None:
    # those of sessions need other files
    rules = [each.code for each in RULES if each.layer in ("gadget", "stf", "tags") and not each.code.startswith("G3")]
    assert sorted(rules) == sorted((*CODES, *ELSEWHERE))


@pytest.mark.slow
@pytest.mark.parametrize("language_id", PIECES)
def test_a_client_knows_what_the_oracle_reads_in_each_piece(language_id: str) -> None:
    # the documents below are drawn, and not all pieces are
    for piece in PIECES[language_id]:
        document = Document(client(PROFILES[0]), language_id, piece)
        check(document, [0, 1, 2, 3])
        document.close()


@pytest.mark.slow
@pytest.mark.parametrize("language_id", PIECES)
@pytest.mark.parametrize("many", ["", "many blocks", "long lines"])
def test_a_client_knows_what_the_oracle_reads(language_id: str, many: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = many == "long lines"
    if many:
        monkeypatch.setattr(sequence, "_SIZE", 4)
    probes = st.lists(st.integers(0, 5000), min_size=4, max_size=4)
    steps = st.lists(st.tuples(st.lists(edits(language_id), min_size=1, max_size=3), st.booleans(), probes), max_size=6)

    @seed(SEED)
    # without the small blocks of sections, laws/test_laws.py draws a thousand documents
    @settings(
        max_examples=DOCUMENTS if many else DOCUMENTS // 3,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.sampled_from(PROFILES), texts(language_id, 14, least=3, long_lines=lines), steps)
    def holds(profile: Profile, text: str, steps: list[tuple[list[Edit], bool, list[int]]]) -> None:
        document = Document(client(profile), language_id, text)
        try:
            check(document, [0, 1, 2, 3])
            before = text
            for several, at_once, probes in steps:
                batch, now = [], document.text
                for edit in several:
                    batch.append(edit.made(now, whole.read(now, language_id), before))
                    before, now = now, applied(now, batch[-1])
                for changes in [batch] if at_once else [[each] for each in batch]:
                    document.change(changes)
                check(document, probes)
        finally:
            document.close()

    holds()
