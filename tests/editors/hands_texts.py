"""The texts that the tests of every editor type: real ones, and those in which an editor's help gets in the way."""

from __future__ import annotations

from editors.hands import CARET, Deed, Paste, Press, written

RESPONSE = """\
I will read the client first, then change it.

!!!GADGET_START:ReadFile:read
!!!ARG:filePath
src/client.ts
!!!GADGET_END
!!!GADGET_START:SearchCode:find
!!!ARG:pattern
client\\.send
!!!ARG:folders/0
src
!!!GADGET_END
!!!GADGET_START:EditFile:edit:read,find
!!!ARG:filePath
src/client.ts
!!!ARG:replace
return withRetries(send);
!!!GADGET_END
!!!GADGET_START:RunCommand:test:edit
!!!ARG:argv/0
npx
!!!ARG:argv/1
vitest
!!!GADGET_END
!!!GADGET_START:TellUser::test
!!!ARG:message
All tests pass.
!!!GADGET_END
"""
CHAT = """\
@# a chat that is kept by hand
@system
Be brief.
@/* for us only
a note over lines
@*/
@user name="Ada"
Who is the user of @ai here?
@ai
You are.
@// a comment in between
@user
Thanks, mail bob@example.org about it.
"""
CODE = """\
!!!GADGET_START:WriteFile:write
!!!ARG:filePath
src/sum.py
!!!ARG:content
def total(values: list[int]) -> int:
    found = {"all": 0}
    for each in values:
        found["all"] += each
    return found["all"]
!!!ARG:mode
overwrite
!!!GADGET_END
"""
WORDS = """\
Please call me when the list is ready
list
call
arg
a block of text, an argument, a user
block
true
"""
CHAT_WORDS = """\
@user
The system asks the user for a call
user
ai
system
turn
raw
call
comment
@ai
embed
"""
BLOCKS = """\
First I look at it. <think>The user wants 2 < 3 explained.</think> It is so because 2 comes first.

<thinking>
Lines of it
with a list
</thinking>
Done, and a <b>bold</b> word.
"""
SETTINGS = """\
extend = "../llmblocks.toml"

[rules]
ignore = ["G117", "T004"]

[stf]
dialect = "@"
defaultRole = "user"

[gadget.markers]
start = "<<<CALL "
"""
SEMICOLON = """\
;user
Who is there?
;# a comment
;assistant
Nobody is.
;extra
{"score": 1}
;end
"""
RAW = """\
@user
Hello
@raw
{role: "tool", content: "ok"}
@end
@ai
I look at the list.
@call name=list_issues id=c1
{"milestone": "2.4", "limit": 20}
@user
Go on.
"""
LAYERS = """\
@ai
<think>I must read it.</think>
!!!GADGET_START:ReadFile:r1
!!!ARG:filePath
a.txt
!!!GADGET_END
@user
Go on.
"""
UNFINISHED = """\
!!!GADGET_START:ReadFile:r1
!!!ARG:filePath
a.txt"""
END = "\n!!!GADGET_END"
TAIL = "\nMore is said below.\n"
CALL = "!!!GADGET_START:ReadFile:r2\n!!!ARG:filePath\nb.txt\n!!!GADGET_END"


def crlf(text: str) -> str:
    """Return the text as in a file of Windows."""
    return text.replace("\n", "\r\n")


TYPED = (
    written("a response with five calls", "response.gadget", RESPONSE),
    written("a chat with comments", "chat.stf", CHAT),
    written("code in a value", "code.gadget", CODE),
    written("words that snippets are named after", "words.gadget", WORDS),
    written("words that commands are named after", "words.stf", CHAT_WORDS),
    written("blocks in prose", "answer.blocks", BLOCKS),
    written("settings", "llmblocks.toml", SETTINGS),
    written("the other dialect", "semicolon.stf", SEMICOLON),
    written("JSON5 of commands", "raw.stf", RAW),
    written("a call and a block in a chat", "layers.stf", LAYERS),
    written("a call without its end", "unfinished.gadget", UNFINISHED, behind=END),
    # Enter writes the ending of the file
    Deed("calls in a file of Windows", "windows.gadget", (CALL,), crlf(f"Hi.\n{CALL}{CARET}"), crlf(f"Hi.\n{CARET}")),
    Deed(
        "a chat in a file of Windows",
        "windows.stf",
        ("@user\nHello there\n@ai\nHi",),
        crlf(f"@system\nBe brief.\n@user\nHello there\n@ai\nHi{CARET}"),
        crlf(f"@system\nBe brief.\n{CARET}"),
    ),
)
"""Texts that are typed key by key and nothing else."""

DONE = (
    Deed("a call above other text", "above.gadget", (CALL,), f"Hi.\n{CALL}{CARET}{TAIL}", f"Hi.\n{CARET}{TAIL}"),
    Deed(
        "a call whose name is corrected",
        "corrected.gadget",
        ("!!!GADGET_START:Rea", Press("Backspace", 3), "List\n"),
        f"!!!GADGET_START:List\n{CARET}{END}",
    ),
    Deed(
        "a tag that is corrected",
        "corrected.blocks",
        ("<thinl", Press("Backspace"), "k>Hm"),
        f"<think>Hm{CARET}</think>",
    ),
    Deed(
        "an opening bracket that is typed again",
        "again.blocks",
        ("<think>", Press("Backspace"), ">Hm"),
        f"<think>Hm{CARET}</think>",
    ),
    Deed("a tag that is left by its end", "left.blocks", ("<think>Hm</think> So.",), f"<think>Hm</think> So.{CARET}"),
    Deed("a pasted call", "pasted.gadget", ("Hi.\n", Paste(f"{CALL}\n"), "Done."), f"Hi.\n{CALL}\nDone.{CARET}"),
    Deed(
        "a pasted end",
        "pasted-end.gadget",
        ("!!!GADGET_START:List\n", Paste("!!!GADGET_END")),
        f"!!!GADGET_START:List\n!!!GADGET_END{CARET}",
    ),
    Deed("a pasted chat", "pasted.stf", (Paste("@user\nHi\n@ai\n"), "Hello"), f"@user\nHi\n@ai\nHello{CARET}"),
    Deed(
        "a line that is taken back",
        "back.gadget",
        ("Hi.\nlist\n", Press("Backspace", 5), "So.\n"),
        f"Hi.\nSo.\n{CARET}",
    ),
)
"""Steps with other keys."""

DEEDS = TYPED + DONE
IN_TWO_LINES = Deed(
    "a block in two lines",
    "lines.blocks",
    ("<b>so</b> ",),
    f"<b>so</b> {CARET}one\n<b>so</b> two\n",
    f"{CARET}one\ntwo\n",
)
"""Typed with a caret in each of two lines."""

_RACES = (
    "a chat with comments",
    "words that commands are named after",
    "blocks in prose",
    "settings",
    "a call without its end",
    "calls in a file of Windows",
)
RACES = tuple(each for each in TYPED if each.name in _RACES)
"""Texts with each kind of list and edit that the next key may overtake: they are typed fast."""
CALM = tuple(each for each in DEEDS if each not in RACES)
"""The others, as a person types them: an editor takes each text once."""
