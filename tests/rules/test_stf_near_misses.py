"""Texts that nearly have a problem of Simple Text Format, and have none."""

from __future__ import annotations

import pytest

from llmblocks import Settings, check

NEAR = {
    "S001": ["@/* a\n@*/\n", "@user\n*/\n", "@user\n@@*/\n", ";user\n@*/\n", "@user\n@# @*/\n"],
    "S002": ["@user\n/*\n", "@user\n@@/*\n", "@user\n@# /*\n", "@user\nx @/* y\n", ";user\n@/*\nx"],
    "S003": ["@msg role=user\nx\n", "@ai\n@@assistent\n", "@# assistent\n", "@user\nada@example.com\n", ";ai\n@usr\nx"],
    "S004": ["@user\nUser\n", "@user\n@@User\n", "@user name=Ai\nx\n", ";user\n@User\nx", "@/*\n@User\n@*/\n"],
    "S005": ["@user\n@@42\n", "@user\n@@\n", "@user\n;)\n", ";user\n@42\n", "@ # note\n", "@/*\n@42\n@*/\n"],
    "S006": ["@raw\n{role: 'user', content: ''}\n@end\n", "@user\nend\n", "@user\n@@end\n", ";user\n@ending of it"],
    "S007": ["@raw\n{role: 'user', content: ''}\n@end", "@user\nraw\n", "@user\n@@raw\n", ";user\n;extra\n{}\n;end"],
    "S008": ["@ai\n@call name=x\n{}", "@ai\n@call name=x\n@# note\n{}\n", "@ai\n@@call name=x\n", "@ai\n@embed\n\n"],
    "S009": ["\n \t\n@user\nx\n", "@# note\n@user\nx\n", "@user\nx\n", "\ufeff\n@user\nx\n", "\r\n@user\r\nx\r\n", ""],
    "S010": [
        "@raw\n@# note\n{role: 'user', content: ''}\n@end\n",
        ";meta\n@user\n;end",
        "@user\n@call name=x\n{}\n@ai\n",
    ],
    "S101": [
        "@user name=Ada\nx\n",
        "@user call_id=1\nx\n",
        "@user {name: 'x'}\nx\n",
        ";user Name=x\ny",
        "@user name='Na-me=1'\n",
    ],
    "S102": ["@user name = Ada\nx\n", "@user\nname\n", "@user  \t\nx\n", "@user name='a b c'\nx\n", "@user\r\nx\r\n"],
    "S103": ["@user name=''\nx\n", "@user name= Ada\nx\n", "@user name==\nx\n", "@user\nname=\n"],
    "S104": ["@user name='it\\'s'\nx\n", "@user name=it's\nx\n", '@user name="it\'s"\nx\n', "@user\n'x\n"],
    "S105": [
        "@user name=x id=x\ny\n",
        "@user name=x\ny\n@user name=x\ny\n",
        ";user name=x Name=x\ny",
        "@user name='name=x'\ny\n",
    ],
    "S106": [
        "@user {name: 'x',}\ny\n",
        "@user\n{name: \n",
        "@user name='\\u0041'\nx\n",
        '@user {/* who */ name: "x"}\ny\n',
    ],
    "S107": [
        "@user {name: '5'}\nx\n",
        "@user name=5\nx\n",
        "@ai\n@call name=x\n{a: 5}\n",
        "@user\n@embed type=image\na.png\n",
    ],
    "S108": [
        "@user name=x id=y call_id=z\na\n",
        "@msg role=user\nx\n",
        "@user\n@embed alt=x\na.png\n",
        "@user\nnmae=x\n",
    ],
    "S109": ["@user name='Ada'\nx\n", "@user name=Ada's\nx\n", "@user name='it\"'\nx\n", "@user\nname=Ada'\n"],
    "S110": [
        "@user name='a' id='b'\nx\n",
        "@user name='a'\tid='b'\nx\n",
        ";user name='a'id='b'\nx",
        "@user name='id=1'\nx\n",
    ],
    "S201": ["@message role=user\nx\n", "@user\nx\n@message\ny\n", "@user\nx\n@msg id=1\ny\n", "@user\nmessage\n"],
    "S202": [
        "@raw\n{role: 'user', content: ''}\n@end\n",
        "@raw\n{role: 'user', content: [{type: 'text', text: 'x'}]}\n@end\n",
        "@raw\n{role: 'user', content: '', id: '5'}\n@end\n",
        ";meta\n{role: 5}\n;end",
    ],
    "S203": ["@user id=a\nx\n@user id=b\ny\n", "@user id=a\nx\n@user name=a\ny\n", "@user id=a\nx\n@user id=A\ny\n"],
    "S204": [
        "@ai\n@call name=x\n{}\n",
        "@ai\n@call name=x\n{a: 'NaN', b: null,}\n",
        "@user\n@embed\n[1\n",
        "@ai\n[1\n",
    ],
    "S301": ["@user\nx\n", "@user\nx\ry\n", "@user\nx\r", ";user\nx\r", "@user\n\\r\\n\n"],
    "S302": [
        # prose
        "@user\n;user is what it says\n",
        "@user\nx\n; user\ny\n",
        "@user\nSee\n ;user\n",
        "@user\na ;user\n",
        "@user\n;) ;user\n",
        "@user\n;users\n",
        "@user\n;User\n",
        "@user\n;ai, of course\n",
        "@user\n;tool.\n",
        ";user\n@tool wear\nx",
        ";user\n@ai do you know?",
        ";user\n@user: see above",
        ";user\n@dev-team can you look?",
        ";user\n@dev/team\n@user_1",
        ";user\n@system's",
        # addresses
        ";user\nada@tool.example\n@tool.example\n<ai@user>",
        ";user\nTo: @example.com\n@ai@example.com",
        # code: decorators, at-rules, ends of statements and comments
        ";user\n```python\n@property\ndef x(self): ...\n@user.setter\n@tool()\n@raw.deco\n@message(id=1)\n```",
        ";user\n```css\n@media print {}\n@import 'x';\n```",
        ";user\n```java\n@Override\n@end-of-life\n```",
        ";user\n```objc\n@interface X\n@end\n```",
        "@user\n```lisp\n;; user\n;;user\n; ai\n;;; raw\n```\n",
        "@user\n```asm\n;end of the loop\n;flush the cache\n```\n",
        "@user\n```js\nf()\n;[1].map(g)\n;(h)()\n;\n```\n",
        "@user\n```ini\n;meta.key = 1\n;name=x\n```\n",
        # data, comments, escapes
        "@raw\n{role: 'user', content: ''}\n@# ;user\n@end\n",
        "@/*\n;user\n@*/\n@user\nx\n",
        ";/*\n@user\n;*/\n;user\nx",
        # neither dialect is reported
        "user\n;\n@\n",
    ],
    "S303": ["@user\nx\n", "@user\n\ufeff\n", "@user\nx\ufeff\n", "\n\ufeff@user\nx\n"],
}


def codes(text: str, settings: Settings | None = None) -> set[str]:
    return {finding.code for finding in check(text, "stf", settings)}


@pytest.mark.parametrize(("code", "text"), [(code, text) for code, texts in NEAR.items() for text in texts])
def test_what_is_nearly_a_problem_is_none(code: str, text: str) -> None:
    assert code not in codes(text)


@pytest.mark.parametrize(
    "line",
    ["user", "user name=Ada", "user {name: 'Ada'}", "ai", "raw", "tool id='1'", "message role=user"],
)
@pytest.mark.parametrize(("header", "other"), ["@;", ";@"])
def test_a_whole_command_line_of_the_other_dialect_is_reported(header: str, other: str, line: str) -> None:
    assert codes(f"{header}user\nHello\n{other}{line}\nHi") == {"S302"}


def test_a_default_role_makes_a_message_of_text_outside_of_messages() -> None:
    assert codes("Hello\n@ai\nHi\n", Settings(default_role="user")) == set()
    assert codes("@message\nHi\n", Settings(default_role="user")) == set()
