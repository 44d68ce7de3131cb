"""The gadget block format: streaming, values, schemas, planning, execution, writing.

`from llmblocks.gadget import GadgetStream, parse_parameters, plan, execute, render`; see docs/formats/gadget.md.
"""

from llmblocks.lazy import lazily

# Loaded on first access: editors use none of this, and streams need no schema.
__getattr__, __dir__ = lazily(__name__, __spec__)
