"""The forms of data sets for fine-tuning, and the texts of the assistant in them."""

from __future__ import annotations

from typing import Any, NamedTuple

from llmblocks.json5.path import Shape
from llmblocks.stf.convert.openai import ROLES as OPENAI

_LANGUAGE = "gadget"


class Dataset(NamedTuple):
    """A form of a data set.

    Attributes:
        messages: The name of the list of messages.
        key: The key of a message's role.
        roles: The known roles.
    """

    messages: str
    key: str
    roles: tuple[str, ...]
    speakers: tuple[str, ...]
    contents: tuple[str, ...]

    @property
    def shape(self) -> Shape:
        """The paths to the texts of the assistant."""
        return Shape.of(
            [
                (f"{self.messages}[{self.key}={speaker}].{content}", _LANGUAGE)
                for speaker in self.speakers
                for content in self.contents
            ]
        )

    def has_role(self, message: Any) -> bool:
        """Return whether a message has a role of the form."""
        role = message.get(self.key) if isinstance(message, dict) else None
        return isinstance(role, str) and role in self.roles

    def fits(self, row: Any) -> bool:
        """Return whether a row has this form."""
        messages = row.get(self.messages) if isinstance(row, dict) else None
        return isinstance(messages, list) and messages != [] and all(map(self.has_role, messages))


_CONTENTS = ("content", "content[type=text].text")
DATASETS = {
    "openai": Dataset("messages", "role", OPENAI, ("assistant",), _CONTENTS),
    "anthropic": Dataset("messages", "role", ("user", "assistant"), ("assistant",), _CONTENTS),
    "sharegpt": Dataset(
        "conversations",
        "from",
        (
            *("system", "human", "user", "gpt", "chatgpt", "assistant", "model"),
            *("tool", "function_call", "function_response", "observation"),
        ),
        ("gpt", "chatgpt", "assistant", "model"),
        ("value",),
    ),
}


def looked_at(row: Any) -> Dataset | None:
    """Return the form of a row."""
    return next((each for each in DATASETS.values() if each.fits(row)), None)
