"""S006 unexpected-end."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import UNEXPECTED_END

RULE = Rule(
    kind=UNEXPECTED_END,
    layer="stf",
    summary="An `@end` ends nothing.",
    why="Only block commands, such as `@raw`, have an end. A message ends where the next one begins.",
    bad="@user\nHello\n@end\n",
    good="@raw\n{role: 'user', content: 'Hello'}\n@end\n",
)
