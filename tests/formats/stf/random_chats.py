"""Documents of Simple Text Format by number: the same number, the same document; some of them have no mistake.

Hypothesis would shrink what fails, and make a tenth as many documents in the same time.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

from examples import LAWS
from laws.texts import PLAIN, STF
from llmblocks.stf import decode

DOCUMENTS = LAWS
"""The number of documents for the laws; these tests take some multiple of it."""

_HERE = Path(__file__).parent
_READ = [
    json.loads(line)["input"]
    for path in (_HERE.parents[1] / "vectors" / "stf.dev.jsonl", _HERE / "reference_cases.jsonl")
    for line in path.read_text("ascii").splitlines()
]
_AT = (
    "@user\n@embed type=image mime=image/png\n@@a b.png\nx",
    "@user\n@embed type=video name='J D'\nu",
    "@user\n@embed url=x\n\n",
    "@ai\n@call name=n id=c\n{a:1}\n@call name=m\n{'a': 1, 'a': 2}",
    "@ai\n@call {name:5}\n[1]",
    "@call name=n\n@# c\n@@{\n",
    "@user name='a'id=1\n\r!!!GADGET_START::g1",
    "@raw\n{role:'u',content:'c'}\n@end\nx !!!GADGET_START:G y",
    ";raw\n{role:'u',content:'c'}\n;end\n;flush\n!!!GADGET_END !!!GADGET_START:H",
    "@raw\n{role:'u',\n@# c\ncontent:[{type:'image',url:'u'},{type:'nope'}],\nrole:1}\n@end",
)
_WHOLE = [*_READ, *[re.sub("^;", "@", text, flags=re.MULTILINE) for text in _READ], *_AT * 10]
_RIGHT = [text for text in _WHOLE if text and not decode(text).findings]
_LINES = sorted({line for text in _WHOLE for line in text.split("\n") if len(line) < 40})


def document(number: int) -> str:
    """Return a document of texts of the vectors, or of pieces in any order."""
    random = Random(number)
    how = random.choice(("right", "right", "wrong", "wrong", "soup"))
    if how == "soup":
        return "".join(random.choices((*STF, *PLAIN, " id=1 id=2", " {role:'u',role:'v'}", " =", "\n"), k=20))
    header = random.choice("@@;")
    texts = [text for text in random.choices(_RIGHT if how == "right" else _WHOLE, k=6) if header in text[:3]]
    lines = "\n".join(texts).split("\n")
    for _ in range(0 if how == "right" else random.randrange(6)):
        at = random.randrange(len(lines) + 1)
        lines[at : at + random.randrange(2)] = random.choices(_LINES, k=random.randrange(2))
    ends = random.choice((("\n",), ("\n",), ("\r\n",), ("\n", "\r\n"), ("\n", "\n", "\r", "\r\r\n", "")))
    whole = "".join(line + random.choice(ends) for line in lines)
    return whole if random.random() < 0.7 else whole.rstrip("\n")
