"""Every fix of every rule keeps its promise, on documents full of mistakes; judged by what the library decodes."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from examples import LAWS
from laws import decoded
from laws.decoded import OTHER, Read, marked, read, told, what
from llmblocks import Settings, check, fix
from llmblocks.cli.explain import settings_of
from llmblocks.core.edits import edited
from llmblocks.facts.rule import Rank
from llmblocks.gadget import GadgetCall, Gadgets, Markers, read_gadgets
from llmblocks.gadget.rules import G122_REPEATED_CALL, SEARCH
from llmblocks.rules.fix import SAME
from llmblocks.rules.fixing import Applied
from llmblocks.settings.rule_names import BY_CODE, RULES
from llmblocks.stf import decode
from llmblocks.stf.rules import S009_DATA_BEFORE_MESSAGE
from oracle.texts import texts

DOCUMENTS = max(LAWS // 4, 25)
"""A quarter of those of the other laws: each document is read once for each of its fixes."""
THOROUGH = settings(decoded.THOROUGH, max_examples=DOCUMENTS)
SEARCHING = Settings(gadgets=Gadgets(read_gadgets(SEARCH).gadgets))
SEARCHES = [rule.bad + end for rule in RULES if rule.gadgets for end in ("", "\n@user\nx", "!!!ARG:limt\nx\n")]
LAYERS = {"gadget": ("gadget", "tags"), "stf": ("stf", "gadget", "tags"), "custom-blocks": ("tags",)}
"""The formats of each language."""
CALL = "!!!GADGET_START:G:{}\n!!!ARG:a\n1\n!!!GADGET_END\n"
MANY = (
    "x !!!GADGET_START:G\n!!!ARG:a/0\n1\n!!!ARG:a/2\n2\n!!!ARG:a/2\n3\n!!!GADGET_END y\n!!!GADGET_END\n",
    CALL.format("a:b") + CALL.format("a:a") + CALL.format("b:a,nobody"),
    CALL.format("gadget_2") + CALL.format("") + CALL.format("c:c,d,d") + CALL.format("d:gadget_1"),
    "</think> <think>a <think>b</think>\n<answer x=1 x=2>\n</answer ></b>\n",
    "!!!ARG:a\n1\n!!GADGET_END\n</think>\n!!!GADGET_START:G:a:b:c\n!!!ARG:a\nx\r\n!!!ARG:b\n2\r\n!!!GADGET_END\n",
)
"""Documents with several mistakes that random ones seldom have together, or at all."""
EQUAL_WHEN_CORRECTED = CALL.format("") + CALL.format("").replace("ARG", "AGR")


def holding(language_id: str) -> list[tuple[str, Settings]]:
    """Documents with findings of each rule of a language that has fixes."""
    commands = ("@ai\n", ";ai\n") if language_id == "stf" else ("",)
    found = [
        ("" if rule.layer == "stf" else commands[0]) + rule.bad for rule in RULES if rule.layer in LAYERS[language_id]
    ]
    chosen = [settings_of(rule) for rule in RULES if rule.layer in LAYERS[language_id]]
    return [*zip(found, chosen, strict=True), *[(each + text, Settings()) for each in commands for text in MANY]]


HOLDING = {language_id: holding(language_id) for language_id in LAYERS}
OF_SCHEMAS = frozenset(rule.code for rule in RULES if rule.gadgets)
FIXABLE = frozenset(rule.code for rule in RULES if rule.fix)


def judged_after(made: Applied) -> set[str]:
    """The rules that can judge what is not misspelt any more: those of the format, or of schemas where a name was.

    Of text that was in no message, those of the formats inside.
    """
    cause = BY_CODE[made.finding.code]
    if cause is S009_DATA_BEFORE_MESSAGE:
        return {rule.code for rule in RULES if rule.layer != cause.layer}
    if cause.rank is not Rank.SPELLING:
        return {*OF_SCHEMAS}
    return {rule.code for rule in RULES if rule.layer == cause.layer or rule.gadgets} - {cause.code}


def documents(language_id: str) -> st.SearchStrategy[tuple[str, Settings]]:
    """Documents with their settings: unchanged, with the schema of a gadget, and with other markers."""
    plain = texts(language_id, 14)
    held = st.tuples(st.sampled_from(HOLDING[language_id]), texts(language_id, 4))
    return st.one_of(
        st.tuples(plain, st.just(Settings())),
        held.map(lambda each: (each[0][0] + each[1], each[0][1])),
        st.tuples(st.builds(str.__add__, texts(language_id, 8), st.sampled_from(SEARCHES)), st.just(SEARCHING)),
        st.tuples(plain.map(lambda text: marked(text, OTHER)), st.just(Settings(markers=OTHER))),
    )


def said(call: GadgetCall) -> list[tuple[str, str]]:
    """Return the values of the arguments of a call, each once."""
    return [*dict.fromkeys([(each.pointer, repr(each.value)) for each in call.arguments])]


every_language = pytest.mark.parametrize("language_id", ["gadget", "stf", "custom-blocks"])


@every_language
def test_safe_fixes_change_no_value(language_id: str) -> None:
    @THOROUGH
    @given(documents(language_id))
    def law(document: tuple[str, Settings]) -> None:
        text, chosen = document
        found = fix(text, language_id, settings=chosen)
        (messages, calls, rest), (messages_after, calls_after, rest_after) = (
            read(each, language_id, chosen) for each in (text, found.text)
        )
        assert repr(messages) == repr(messages_after)
        for call, after in zip(calls, calls_after, strict=True):
            if told(call) != told(after):
                # of a rejected call, what it says twice is said once
                assert call.error is not None
                assert (what(call), said(call)) == (what(after), said(after))
                assert len(after.arguments) < len(call.arguments)
        assert rest == rest_after
        assert all(applied.fix.safe for applied in found.applied)

    law()


@every_language
def test_every_fix_takes_its_finding_away_and_brings_no_other(language_id: str) -> None:
    @THOROUGH
    @example((EQUAL_WHEN_CORRECTED, Settings()), True)
    @given(documents(language_id), st.booleans())
    def law(document: tuple[str, Settings], unsafe: bool) -> None:
        text, chosen = document
        found = fix(text, language_id, unsafe=unsafe, settings=chosen)
        before, after = (Counter(each.code for each in check(one, language_id, chosen)) for one in (text, found.text))
        assert found.left == check(found.text, language_id, chosen)
        new = after - (before - Counter(applied.finding.code for applied in found.applied))
        del new[G122_REPEATED_CALL.code]  # a corrected call may turn out to repeat its neighbour
        assert not set(new).difference(*[judged_after(each) for each in found.applied if each.fix.uncovers])
        assert (found.text == text) is (not found.applied)
        assert edited(text, found.edits) == found.text
        assert fix(found.text, language_id, unsafe=unsafe, settings=chosen).text == found.text

    law()


def no_accepted_call_differs(before: Read, after: Read, _: Markers) -> None:
    (messages, calls, rest), (messages_after, calls_after, rest_after) = before, after
    assert rest == rest_after
    assert [what(call) for call in calls] == [what(call) for call in calls_after]
    for call, now in zip(calls, calls_after, strict=True):
        if call.error is None:
            assert told(call) == told(now)
        else:
            # no value is made up, and the values keep their order
            values = iter([repr(each.received.rstrip("\r")) for each in call.arguments])
            assert all(repr(each.received.rstrip("\r")) in values for each in now.arguments)
    if messages is not None:
        assert len(messages["messages"]) == len(messages_after["messages"])


def values_stay(before: Read, after: Read, _: Markers) -> None:
    (_, calls, rest), (_, calls_after, rest_after) = before, after
    assert rest == rest_after
    assert [call.name for call in calls] == [call.name for call in calls_after]
    for call, now in zip(calls, calls_after, strict=True):
        assert repr([each.value for each in call.arguments]) == repr([each.value for each in now.arguments])
        assert call.error is not None or now.error is None


def only_end_markers_and_spaces_go(before: Read, after: Read, markers: Markers) -> None:
    old, new = ("".join(each for each in one[2] if isinstance(each, str)) for one in (before, after))
    assert [told(call) for call in before[1]] == [told(call) for call in after[1]]
    blocks, blocks_after = ([each for each in one[2] if not isinstance(each, str)] for one in (before, after))
    assert blocks == blocks_after
    assert "".join(old.replace(markers.end, "").split()) == "".join(new.replace(markers.end, "").split())


def only_new_lines_differ(before: Read, after: Read, _: Markers) -> None:
    assert [told(call) for call in before[1]] == [told(call) for call in after[1]]
    old, new = (
        [each.replace("\n", "") if isinstance(each, str) else each for each in one[2]] for one in (before, after)
    )
    assert old == new


@every_language
def test_unsafe_fixes_of_calls_change_what_they_are_about(language_id: str) -> None:
    families = (
        # what ends a comment lets messages come, behind those that there are
        (("G101", "G102"), no_accepted_call_differs),
        (("G108", "G109", "G110", "G111", "G113", "G114"), values_stay),
        (("G005",), only_end_markers_and_spaces_go),
        (("G006", "G007"), only_new_lines_differ),
    )

    @THOROUGH
    @given(documents(language_id))
    def law(document: tuple[str, Settings]) -> None:
        text, chosen = document
        before = read(text, language_id, chosen)
        for codes, judge in families:
            found = fix(text, language_id, unsafe=True, select=codes, settings=chosen)
            judge(before, read(found.text, language_id, chosen), chosen.markers)
            if judge is only_new_lines_differ:
                assert found.text.replace("\n", "") == text.replace("\n", "")

    law()


MARKUP = st.sampled_from(
    (
        *("<think>", "</think>", "</think >", "< /think>", "<Think>", "</Think>", "<thin", "<<think>", "</", "<"),
        *("<tool a=1 a='1'/>", '<tool a=x/y b="1" a=2>', "<tool / >", "<tool a=/x b='>'>", "</tool>", "</ tool>"),
        *("a ", "b\n", "\n", "\r\n", '"', ">", "/", "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!GADGET_END\n", "c\n"),
        *("@user\n", "@# note\n"),
    )
)


def markup() -> st.SearchStrategy[str]:
    """Custom blocks full of mistakes."""
    built = st.lists(MARKUP, max_size=12).map("".join)
    return st.one_of(built, built, st.sampled_from([text for text, _ in HOLDING["custom-blocks"]]))


@every_language
def test_fixes_of_tags_keep_calls_and_words(language_id: str) -> None:
    @THOROUGH
    @example("<thin/")
    @example("<Think><tool a=1 a='1'/></think>")
    @given(markup())
    def law(text: str) -> None:
        found = fix(text, language_id, unsafe=True, select=("T",))
        (messages, calls, rest), (messages_after, calls_after, rest_after) = (
            read(each, language_id, Settings()) for each in (text, found.text)
        )
        assert [told(call) for call in calls] == [told(call) for call in calls_after]
        if messages is not None:
            assert len(messages["messages"]) == len(messages_after["messages"])
        # attributes that say more are part of a tag: no letter of the texts is made up
        before, after = (
            Counter("".join(each if isinstance(each, str) else each.content for each in one))
            for one in (rest, rest_after)
        )
        if any(BY_CODE[each.finding.code].rank is Rank.SPELLING for each in found.applied):
            # the block of a corrected tag may contain what was a separate block
            before = Counter(text + "".join(edit.text for each in found.applied for edit in each.fix.edits))
        assert not after - before
        assert {each.finding.code[0] for each in found.applied} <= {"T"}
        if all(each.finding.code == "T001" for each in found.applied):
            assert rest == rest_after

    law()


LINES = st.sampled_from(
    (
        *("@user\n", "@usr\n", "@User id=1\n", "@assistnat name='x\n", "@message\n", "@message role='user'name='x'\n"),
        *("@ai name=x' nmae=y\n", "@user name=x name=x id='1' id=2\n", "@cal name=look\n", "@call callid=1 name=x\n"),
        *("@raw\n", "@Raw\n", "@rwa\n", "@end\n", "@End\n", "@ende\n", "{role: 'user', content: 'x'}\n", "{a: 1}\n"),
        *("@embed tpe=image\n", "@42\n", "@@42\n", "@# note\n", "@meta\n", "@extra\n", "@flsh\n", "@meat\n"),
        *("a\n", "b \n", "\n", "c\r\n", "!!!GADGET_START:G\n", "!!!ARG:a\n", "!!!GADGET_END\n", "<think>d</think>\n"),
    )
)


def chats() -> st.SearchStrategy[str]:
    """Chats full of mistakes, in either dialect."""
    lines = st.lists(LINES, max_size=10).map("".join)
    ends = st.sampled_from((str, lambda text: text.removesuffix("\n"), lambda text: text.replace("\n", "\r\n")))
    dialects = st.sampled_from((str, lambda text: text.replace("@", ";")))
    marks = st.sampled_from(("", "", "", "\ufeff"))
    built = st.builds(lambda text, end, dialect, mark: mark + dialect(end(text)), lines, ends, dialects, marks)
    return st.one_of(built, built, st.sampled_from([text for text, chosen in HOLDING["stf"] if chosen == Settings()]))


def is_rest(rest: str, whole: str) -> bool:
    left = iter(whole)
    return all(each in left for each in rest)


def test_fixes_of_chats_change_one_message_each() -> None:
    safe = ("S004", "S006", "S105", "S110", "S303")
    heads = ("S104", "S108", "S109")
    codes = ("S003", "S005", "S007", "S009", *safe, *heads)

    @THOROUGH
    @given(chats(), st.sampled_from(((*safe, *heads), (*safe, *heads, "S005"), codes)))
    def law(text: str, chosen: tuple[str, ...]) -> None:
        found = fix(text, "stf", unsafe=True, select=chosen)
        before, after = (decode(each) for each in (text, found.text))
        made = [each.finding.code for each in found.applied if each.finding.code not in safe]
        old, new = (Counter(repr(each.as_dict()) for each in one.messages) for one in (before, after))
        assert (old - new).total() <= len(made)
        assert (new - old).total() <= 2 * len(made)
        if before.metadata != after.metadata:
            assert {"S003", "S007"} & {*made}
        if chosen != codes:
            for one, other in zip(before.messages, after.messages, strict=True):
                assert one.role == other.role or made
                assert is_rest(one.text, other.text) if "S005" in made else one.text == other.text

    law()


def test_line_ends_are_all_that_a_conversion_changes() -> None:
    @THOROUGH
    @given(chats())
    def law(text: str) -> None:
        found = fix(text, "stf", unsafe=True, select=("S301",))
        before, after = (repr(decode(each).as_dict()) for each in (text, found.text))
        # a lone return ends no line: it stays
        assert "\r\n" not in found.text or found.text == text
        if found.applied:
            assert before.replace("\\r", "") == after.replace("\\r", "")
        if any(each.fix.expected == SAME for each in found.applied):
            (_, calls, rest), (_, calls_after, rest_after) = (
                read(each, "stf", Settings()) for each in (text, found.text)
            )
            assert [told(call) for call in calls] == [told(call) for call in calls_after]
            assert rest == rest_after

    law()


@pytest.mark.parametrize("language_id", HOLDING)
def test_the_documents_hold_what_there_are_fixes_for(language_id: str) -> None:
    """A law that holds for documents without findings says nothing."""
    made = {
        applied.finding.code
        for text, chosen in HOLDING[language_id]
        for applied in fix(text, language_id, unsafe=True, settings=chosen).applied
    }
    assert made >= FIXABLE & {rule.code for rule in RULES if rule.layer in LAYERS[language_id]}
