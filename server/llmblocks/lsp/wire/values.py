"""Values of the protocol by its names: dictionaries, which cost less than half of the objects of lsprotocol."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from llmblocks.lsp.wire.rpc import Json


class Position(TypedDict):
    line: int
    character: int


class Range(TypedDict):
    start: Position
    end: Position


class Location(TypedDict):
    uri: str
    range: Range


class TextEdit(TypedDict):
    range: Range
    newText: str


class RelatedInformation(TypedDict):
    location: Location
    message: str


class Diagnostic(TypedDict):
    range: Range
    severity: int
    code: NotRequired[str]
    codeDescription: NotRequired[Json]
    source: str
    message: Json
    tags: NotRequired[list[int]]
    data: NotRequired[str]
    """The fingerprint of a finding, which no client gets."""
    relatedInformation: NotRequired[list[RelatedInformation]]


class DocumentSymbol(TypedDict):
    name: str
    detail: NotRequired[str]
    kind: int
    range: Range
    selectionRange: Range
    children: list[DocumentSymbol]


class FoldingRange(TypedDict):
    startLine: int
    endLine: int
    kind: NotRequired[str]


class CodeLens(TypedDict):
    range: Range
    data: Json


class SemanticTokens(TypedDict):
    resultId: NotRequired[str]
    data: list[int]


class SemanticTokensDelta(TypedDict):
    resultId: str
    edits: list[Json]
