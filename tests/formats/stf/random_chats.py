"""Documents of Simple Text Format by number: the same number, the same document, half of them without a mistake.

Hypothesis would shrink what fails, and make a tenth as many documents in the same time.
"""

from __future__ import annotations

from random import Random

from examples import LAWS

DOCUMENTS = LAWS
"""The number of documents for the laws; these tests take some multiple of it."""

ROLES = ("user", "user", "user", "ai", "ai", "assistant", "sys", "system", "dev", "developer", "tool")
TEXTS = (
    "hi", "", "", " ", "\t", "  indented", "a\rb", "x @user", " @user", "\u2028", "\x85", "\x00", "\U0001f600", "é",
    "\\", "@", "@user", "@@end", ";", ";end", "@/*", ";*/", "{a:1}", "\ufeff", "# no comment", "'", "a\tb",
    "\r!!!GADGET_START::g1", " \t!!!GADGET_START:G", "x !!!GADGET_START:G y", "!!!GADGET_END !!!GADGET_START:G",
)  # fmt: skip
VALUES = (
    "Jo", "a=b", "{x}", "a'b", "#", "\\", "日本", "'J D'", '"J D"', "''", "'it\\'s'", '"\\u0041\\n"', "'\"'",
    "@", "a\rb",
)  # fmt: skip
OBJECTS = ("{}", "{a:1}", '{"a": 1, "b": [null]}', "{a:{b:'c'},}", "{ c : +1 } // c", '{a:2,/**/b:"x"}')
JSON = (*OBJECTS, "null", "5", "'x'", "[1,\n 2]", "{\n  a: 'x',\n}", "NaN")
MESSAGES = (
    "{role:'u',content:'c'}", "{\n  role: 'ai',\n  content: [],\n}", '{"role": "u", "content": "c", "id": "1"}',
    "{role:'u',content:[{type:'text',text:'x'},{type:'image',url:'u'}],extra:null}",
    "{role:'a',content:'',tool_calls:[{name:'n',arguments:'{}'}],\n reasoning:'r', foo: 1}",
)  # fmt: skip
WRONG_JSON = (
    "", "{", "[1", "{a:", "undefined", "{a 1}", "{\n a: 01\n}", "{role:1,content:''}", "{role:'u'}", "[]", "null",
    "{role:'u',content:[{type:'nope'}]}", "{role:'u',content:'c',id:null}", "{role:'u',content:'c',tool_calls:[{}]}",
    "{²:1}", "'a\\1'", "{a:1,\n'a':1}", '{"a": 1, "a": 2}', "{role:'u',content:[],extra:{b:1, b:2},role:'v'}",
)  # fmt: skip
WRONG_ARGUMENTS = (
    " =", " a", " id", " id=", " id= ", " id=1 id=2", " name=x'", " name='x", ' name="a\\', " id='\\1'", " 1d=2",
    " é=1", " na-me=1", " id='a'name='b'", " id='a''b'", "=1", "'x'", " {", " {id:3}", " {id:null}", " {role:5}",
    " {id:'1'} x", " [1]", " {id:'1', id:'2'}", " {²:1}", " hello there", " # no", "\r", "-x", " ID=1", " _x=1", " i=1",
)  # fmt: skip
WRONG_LINES = (
    "@", ";", "@ ", "; ", "@!", ";!", "@1", "@/", ";*", "@*/", ";*/", "@ */ x", "@end", ";end", "@END", ";End",
    "@User", ";USER", "@foo", ";foo", "@flush", ";call", "@meta", ";embed", "@/*", ";/*", "@raw", ";raw",
   "@call name=n", "@embed", ";meta", ";extra", "@Raw", "@Call name=x", ";Extra", ";Flush", "@" + "x" * 20,
    "@msg", ";message", "@user2", "\ufeff@user", "stray", "@call",
    "@_", "@é", "x !!!GADGET_START:G y", "!!!GADGET_START:G !!!GADGET_START:H", "\r!!!GADGET_START::g1",
)  # fmt: skip


def document(number: int) -> str:
    """Return the document of that number."""
    return _Chat(Random(number)).text()


class _Chat:
    """Lines that are being made up."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.pick = random.choice
        self.header = self.pick("@@;")
        self.mistakes = self.pick((0.0, 0.0, 0.03, 0.1, 0.4))
        self.lines: list[str] = []

    def chance(self, of: float) -> bool:
        return self.random.random() < of

    def text(self) -> str:
        if self.chance(0.3):
            self.lines.append(self.pick(("", " ", "\t")))
        while self.chance(self.mistakes):
            self.lines.append(self.pick(("stray", *WRONG_LINES[-4:])))
        self.message()
        for _ in range(self.pick((0, 1, 2, 4, 8))):
            self.pick((self.message, self.message, self.data, self.comment, self.special, self.special, self.raw))()
            if self.chance(self.mistakes):
                self.lines.insert(self.random.randrange(len(self.lines) + 1), self.pick(WRONG_LINES))
        if self.mistakes and self.chance(0.2):
            del self.lines[self.random.randrange(len(self.lines))]
        ends = self.pick((("\n",), ("\n",), ("\r\n",), ("\n", "\r\n"), ("\n", "\n", "\r", "\r\r\n", "")))
        whole = "".join(line + self.pick(ends) for line in self.lines)
        return whole if self.chance(0.7) else whole.rstrip("\n") + self.pick(("", "", "\r"))

    def message(self) -> None:
        if self.chance(0.3):
            role = self.pick((" role=x", " role='a b'", "\trole=" + self.pick(VALUES), " role = user"))
            self.command(self.pick(("msg", "message")), role + self.pairs("id", "name", "call_id"))
        else:
            self.command(self.pick(ROLES), self.pairs("id", "name", "call_id", "foo_1"))
        if self.chance(0.7):
            self.data()

    def data(self) -> None:
        for _ in range(self.pick((1, 1, 2, 4))):
            self.escaped(self.pick(TEXTS))

    def comment(self) -> None:
        if self.chance(0.5):
            self.lines.append(self.begin() + self.pick(("#", "// c", f"# {self.header}user")))
            return
        self.lines.append(self.begin() + self.pick(("/*", "/* c */")))
        inside = (*TEXTS[:9], f"{self.header}user", f"{self.header}bogus =", self.header * 2 + "*/")
        self.lines += (self.pick(inside) for _ in range(self.pick((0, 1, 2))))
        if self.chance(0.3):
            self.lines += (f"{self.header}/*", "x", f"{self.header}*/")
        self.lines.append(self.begin() + self.pick(("*/", "*/ c")))

    def special(self) -> None:
        if self.header == "@":
            self.line_command()
        elif self.chance(0.2):
            self.lines += (";flush", ";user")
        else:
            self.block(self.pick(("meta", "extra")), JSON)

    def raw(self) -> None:
        self.block("raw", MESSAGES)
        if self.chance(0.9):
            self.message()

    def block(self, name: str, values: tuple[str, ...]) -> None:
        self.command(name, "")
        for line in self.right_or(values, WRONG_JSON).split("\n"):
            if self.chance(0.1):
                self.comment()
            self.escaped(line)
        self.lines.append(self.begin() + self.pick(("end", "end", "end it")))

    def line_command(self) -> None:
        if self.chance(0.5):
            self.command("call", self.pick((" name=n", " name='a b'", " {name:'n'}")))
            data = self.right_or(OBJECTS, WRONG_JSON)
        else:
            kind = self.right_or((" type=image", " type=file", " type='audio'", ""), (" type=video",))
            self.command("embed", kind + self.pairs("mime", "name", "detail"))
            data = self.pick(("a.png", "", "@@x", "data:,"))
        if self.chance(0.2):
            self.comment()
        self.lines.append(data)

    def command(self, name: str, arguments: str) -> None:
        self.lines.append(self.begin() + name + self.right_or((arguments,), WRONG_ARGUMENTS))

    def pairs(self, *keys: str) -> str:
        taken = [key for key in keys if self.chance(0.3)]
        self.random.shuffle(taken)
        if taken and self.chance(0.2):
            items = ", ".join(f"{key}: {self.pick(('1', ' x '))!r}" for key in taken)
            return self.gap() + "{" + items + self.pick(("}", ",}"))
        equals = ("=", "=", " = ", "\t=", "= ")
        pairs = (f"{self.pick((' ', '  ', chr(9)))}{key}{self.pick(equals)}{self.pick(VALUES)}" for key in taken)
        return "".join(pairs) + self.gap()

    def begin(self) -> str:
        return self.header + self.gap()

    def gap(self) -> str:
        return self.pick(("", "", "", " ", "\t "))

    def escaped(self, line: str) -> None:
        self.lines.append(self.header + line if line.startswith(self.header) else line)

    def right_or(self, right: tuple[str, ...], wrong: tuple[str, ...]) -> str:
        return self.pick(wrong if self.chance(self.mistakes) else right)
