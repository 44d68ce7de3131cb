"""Files of other languages with texts of ours in them, the same for every editor."""

from __future__ import annotations

import sys
from pathlib import Path

BESIDE = (sys.executable, str(Path(__file__).with_name("beside.py")))
"""The command of another server for Markdown."""
PLAIN = "# Notes\n\nMore ```code``` of another language.\n"
NOTES = """\
# Notes

> ```llmblocks gadget
> !!!GADGET_START:Read:r1
> !!!ARG:path/0
> a.py
> !!!ARG:path/2
> b.py
> !!!GADGET_END
> ```

And !!!ARG:path/7 in prose.

```custom-blocks
<think>Hm.</think>
```

```gadget
!!!GADGET_START:Read:r1
!!!GADGET_END
```
"""
"""The one mistake is in line 7, behind `> !!!ARG:path/`."""

CODE = {
    "python": (
        "calls.py",
        '''\
"""A module."""

CALL = """!!!GADGET_START"""  # prose
EXAMPLE = (  # llmblocks: gadget
    """!!!GADGET_START:Read:r1
!!!ARG:path/0
a.py
!!!ARG:path/2
b.py
!!!GADGET_END
"""
)
''',
    ),
    "typescript": (
        "calls.ts",
        """\
const prose = `!!!GADGET_START`;
export const example = /* gadget */ `
!!!GADGET_START:Read:r1
!!!ARG:path/0
a.py
!!!ARG:path/2
b.py
!!!GADGET_END
`;
""",
    ),
    "jsonl": (
        "calls.jsonl",
        '{"messages": [{"role": "assistant", "content": "Hi"}]}\n'
        '{"messages": [{"role": "assistant", "content": '
        '"!!!GADGET_START:Read:r1\\n!!!ARG:path/0\\na.py\\n!!!ARG:path/2\\nb.py\\n!!!GADGET_END\\n"}]}\n',
    ),
}
"""Code and a data set with a text of ours: its name, and its text. The one mistake is `2` behind `path/`."""
