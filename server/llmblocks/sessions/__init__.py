"""Sessions of agents on disk: responses, calls, and their outcomes.

`from llmblocks.sessions import read`; see docs/sessions.md.
"""

from llmblocks.gadget.running.fates import Outcome
from llmblocks.workspace.session import Response, Result, Session, SessionCall, read

__all__ = ["Outcome", "Response", "Result", "Session", "SessionCall", "read"]
