"""What holds for every test."""

from __future__ import annotations

import signal

from hypothesis import settings

from examples import LAWS, USUAL

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # a shell that runs the tests in the background ignores SIGINT, and the programs under test would inherit that
    signal.signal(signal.SIGINT, signal.default_int_handler)

# tests run beside others: a slow example is no failure
settings.register_profile("scaled", max_examples=min(LAWS, USUAL), deadline=None)
settings.load_profile("scaled")
