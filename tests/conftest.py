"""What holds for every test."""

from __future__ import annotations

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # a shell that runs the tests in the background ignores SIGINT, and the programs under test would inherit that
    signal.signal(signal.SIGINT, signal.default_int_handler)
