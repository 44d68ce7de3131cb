"""A Markdown file with texts of ours in it, the same for every editor."""

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
"""Shape: the one mistake is in line 7, behind `> !!!ARG:path/`."""
