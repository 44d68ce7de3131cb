"""Text typed in an editor in a terminal arrives unchanged: the tests of each of them."""

from __future__ import annotations

import pytest

from editors.flow import BLOCKS, CALLS, CHAT, MOST, Flow, share
from editors.hands import CARET, FAST, PERSON, Deed, apart, without_ends, wrong
from editors.hands_texts import CALM, IN_TWO_LINES, RACES
from editors.typing_hands import Done


class TypingTests:
    """Tests of everything that was `done` in an editor, which is a fixture of its module."""

    inserts_ends = False
    """Whether the editor writes the ends of calls and blocks after the caret."""

    @pytest.mark.parametrize("deed", RACES, ids=str)
    def test_what_is_typed_fast_is_there_once(self, done: Done, deed: Deed) -> None:
        self.stands(done, deed, FAST)

    @pytest.mark.parametrize("deed", CALM, ids=str)
    def test_what_a_person_types_is_there_once_and_undo_takes_all_back(self, done: Done, deed: Deed) -> None:
        self.stands(done, deed, PERSON)
        assert done.deeds[deed, PERSON].result().undone == apart(deed.start)[0]

    def stands(self, done: Done, deed: Deed, pace: str) -> None:
        left = done.deeds[deed, pace].result()
        expected = deed.expected if self.inserts_ends else without_ends(deed)
        said = wrong(expected, left.before + left.after, len(left.before))
        assert not said, said

    def test_two_lines_take_the_same(self, done: Done) -> None:
        assert done.in_two_lines.result() == apart(IN_TWO_LINES.expected)[0]

    @pytest.mark.parametrize("flow", [CALLS, CHAT, BLOCKS], ids=lambda flow: flow.file)
    def test_completion_writes_markup_with_few_keys(
        self, done: Done, flow: Flow, capsys: pytest.CaptureFixture[str]
    ) -> None:
        written = done.written[flow].result()
        said = wrong(f"{flow.text}{CARET}", written.text, len(written.text))
        assert not said, said
        with capsys.disabled():
            print()
            left = share(written.keys, flow, type(self).__name__.removeprefix("Test"))
        assert left <= MOST
