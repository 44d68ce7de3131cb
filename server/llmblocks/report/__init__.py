"""The findings in many texts: a summary of each, merged in any order on any number of machines.

`from llmblocks.report import summarise, merge`; see docs/report.md.
"""

from llmblocks.lazy import lazily

# Loaded on first access: a merge needs no parser.
__getattr__, __dir__ = lazily(__name__, __spec__)
