"""The text of a file that settings name: it may be anything, of any size."""

from __future__ import annotations

import os


def text_of_named(path: str, most: int, too_large: str) -> str:
    """The text of a regular file of at most so many bytes; of a larger one, `too_large` is said.

    Errors: `OSError`, also for what is no regular file; `ValueError` for a file that is too large, or no text.
    """
    from llmblocks.gadget.schemas.reading import decoded_text

    if not os.path.isfile(path):
        # as `open` would say, but without waiting for what is a pipe
        os.stat(path)
        raise OSError("it is not a regular file")
    with open(path, "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(too_large)
    return decoded_text(data)


def why_not_read(error: OSError | ValueError) -> str:
    """The reason of an error of `text_of_named`, for a message."""
    system = getattr(error, "strerror", None)
    return str(system).lower() if system else str(error)
