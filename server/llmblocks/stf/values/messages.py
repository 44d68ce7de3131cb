"""The values of Simple Text Format: a transcript, its messages and their contents; findings and errors of decoding."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from llmblocks.facts.finding import Finding
from llmblocks.facts.message import FindingMessage
from llmblocks.facts.problem import Problem
from llmblocks.stf.syntax import EmbedType


@dataclass(frozen=True, slots=True)
class StfFinding(Finding):
    """A finding of the decoder."""

    kind: str = ""
    """The kind of error with which llm-msg-io stops; "json5" for S206, which it does not know."""
    line: int = 0
    """The 1-based line of `start`."""


def finding_of(problem: Problem, line: int, messages: dict[tuple[object, ...], FindingMessage]) -> StfFinding:
    """Return the finding of a problem on a line. A text may have a million of them: equal `messages` are shared."""
    rule, start, end, data, related = problem
    words = (rule, *data.values())
    if words not in messages:
        messages[words] = problem.message
    kind = rule.reference_of(data)
    return StfFinding(rule.code, start, end, messages[words], rule.severity, related, data=data, kind=kind, line=line)


class StfError(ValueError):
    """The error of `strict=True` for a text with findings.

    Attributes:
        findings: All findings.
        line: The 1-based line of the first finding.
        kind: Its kind.
    """

    def __init__(self, findings: tuple[StfFinding, ...]) -> None:
        self.findings = findings
        self.line = findings[0].line
        self.kind = findings[0].kind

    def __str__(self) -> str:
        return f"Line {self.line}: {self.findings[0].message}"


Json: TypeAlias = Any


@dataclass(slots=True)
class TextPart:
    """A text in a list of parts."""

    text: str
    more: dict[str, Json] = field(default_factory=dict)
    """The keys without a field."""

    def as_dict(self) -> dict[str, Json]:
        """Return the part as plain JSON."""
        return {"type": "text"} | _given(self, ("text",))


@dataclass(slots=True)
class EmbedPart:
    """A resource inside a content: an image, a recording, a file."""

    type: EmbedType
    url: str | None = None
    """A path or URL."""
    mime: str | None = None
    data: str | None = None
    """The resource itself, in base64."""
    more: dict[str, Json] = field(default_factory=dict)
    """The keys without a field: `name`, `format` and `file_id` (strings), others, and a `mime` that is not a string."""

    def as_dict(self) -> dict[str, Json]:
        """Return the part as plain JSON, without the fields that are None."""
        return _given(self, ("type", "mime", "url", "data"))


Part: TypeAlias = TextPart | EmbedPart
Content: TypeAlias = str | list[Part]


@dataclass(slots=True)
class ToolCall:
    """A call of a tool by a message."""

    name: str
    arguments: str
    """The text of a JSON object, as the model wrote it."""
    id: str | None = None
    call_id: str | None = None
    more: dict[str, Json] = field(default_factory=dict)
    """The keys without a field."""

    def as_dict(self) -> dict[str, Json]:
        """Return the call as plain JSON, without the fields that are None."""
        return _given(self, ("id", "call_id", "name", "arguments"))


@dataclass(slots=True, eq=False)
class Message:
    """One message of a transcript. Messages are equal if their JSON is."""

    # not frozen, and no dict for `more`: either takes longer than reading the message
    role: str
    content: Content = ""
    """Like `reasoning` and `refusal`, text or a list of parts."""
    id: str | None = None
    name: str | None = None
    call_id: str | None = None
    """The tool call that the message answers."""
    reasoning: Content | None = None
    refusal: Content | None = None
    tool_calls: list[ToolCall] | None = None
    extra: Json = None
    """Any JSON."""
    more: dict[str, Json] | None = None
    """The keys without a field, and `{"extra": None}` if `extra` is null rather than absent."""

    def as_dict(self) -> dict[str, Json]:
        """Return the message as plain JSON, without the fields that are None."""
        out = _given(self, ("role", "content", "id", "name", "call_id", "reasoning", "refusal", "tool_calls", "extra"))
        for key in ("content", "reasoning", "refusal", "tool_calls"):
            if isinstance(value := getattr(self, key), list):
                out[key] = [each.as_dict() for each in value]
        return out

    def __eq__(self, other: object) -> bool:
        return self.as_dict() == other.as_dict() if isinstance(other, Message) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    @property
    def text(self) -> str:
        """The text of the content, without embedded parts."""
        return content_text(self.content)


@dataclass(slots=True)
class Transcript:
    """A conversation."""

    messages: list[Message] = field(default_factory=list)
    metadata: Json = None
    """Any JSON, or None."""
    findings: tuple[StfFinding, ...] = field(default=(), compare=False)
    """All findings of decoding; ignored by comparisons."""
    null_metadata: bool = False
    """Distinguishes an explicit null from absent metadata."""

    @property
    def has_metadata(self) -> bool:
        """Whether there is metadata, even null."""
        return self.metadata is not None or self.null_metadata

    def as_dict(self) -> dict[str, Json]:
        """Return the transcript as plain JSON: `messages`, and `metadata` if there is any."""
        out: dict[str, Json] = {"messages": [message.as_dict() for message in self.messages]}
        if self.has_metadata:
            out["metadata"] = self.metadata
        return out

    @staticmethod
    def json_schema() -> dict[str, Json]:
        """Return the JSON Schema of `as_dict()`."""
        from llmblocks.stf.values.shape import transcript_schema

        return transcript_schema()


def content_text(content: Content) -> str:
    """Return the text of a content, without embedded parts."""
    return content if isinstance(content, str) else "".join(p.text for p in content if isinstance(p, TextPart))


def _given(value: Part | ToolCall | Message, keys: tuple[str, ...]) -> dict[str, Json]:
    """Return the fields that are not None, and the keys of `more`."""
    out = {key: item for key in keys if (item := getattr(value, key)) is not None}
    return out | value.more if value.more else out
