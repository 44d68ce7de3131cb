"""The catalogue of problems in the gadget block format: codes, severities and wordings."""

from __future__ import annotations

from typing import Final

from llmblocks.core.problem import Case, ProblemKind
from llmblocks.core.severity import Severity

_BELOW_VALUE = "llmist rejects the whole call; rename one of the two arguments"

MISSING_GADGET_NAME: Final = ProblemKind(
    "G001",
    "missing-gadget-name",
    Severity.ERROR,
    "Error: Gadget '' not found.",
    "the header has no name; write the gadget's name after `{marker}`",
)
INVALID_IDENTIFIER: Final = ProblemKind(
    "G002",
    "invalid-identifier",
    Severity.WARNING,
    "Invalid {what}: `{name}`",
    "llmist uses it exactly as written, blanks included; use letters, digits and `_`, and do not begin with a digit",
    {
        "empty": Case(
            "Empty invocation id",
            "all calls with an empty id share it; write an id, or remove the colon",
        )
    },
)
MARKER_CASE: Final = ProblemKind(
    "G003",
    "marker-case",
    Severity.WARNING,
    "Marker in the wrong case",
    "llmist reads it as text; write `{marker}`",
)
ARGUMENT_OUTSIDE_CALL: Final = ProblemKind(
    "G004",
    "argument-outside-call",
    Severity.WARNING,
    "`{marker}` outside any call",
    "it belongs to no call, and llmist shows it as text; begin a call before it, or remove it",
)
END_OUTSIDE_CALL: Final = ProblemKind(
    "G005",
    "end-outside-call",
    Severity.WARNING,
    "`{marker}` outside any call",
    "it ends no call, and llmist shows it as text; begin a call before it, or remove it",
)
TEXT_AFTER_END: Final = ProblemKind(
    "G006",
    "text-after-end",
    Severity.WARNING,
    "Text right after `{marker}`",
    "llmist ends the call and shows this as text; move it to a new line",
)
MARKER_INSIDE_LINE: Final = ProblemKind(
    "G007",
    "marker-inside-line",
    Severity.WARNING,
    "`{marker}` inside a line",
    "llmist reads it as a marker anywhere, and there is no escape; move it to a new line, or take it out of the text",
    {
        "blanks": Case(
            "`{marker}` after blanks",
            "llmist adds the blanks to the value before it; begin the line with the marker",
        )
    },
)
MISSING_END_MARKER: Final = ProblemKind(
    "G008",
    "missing-end-marker",
    Severity.INFORMATION,
    "No `{marker}` ends this call",
    "llmist ends it at the next call or at the end of the text; write `{marker}` after its last argument",
    {
        "last": Case(
            "No `{marker}` ends this call yet",
            "llmist ends it with the text, even if a response was cut off; write `{marker}` after its last argument",
            Severity.HINT,
        )
    },
)
COLON_SEPARATED_DEPENDENCIES: Final = ProblemKind(
    "G009",
    "colon-separated-dependencies",
    Severity.INFORMATION,
    "Dependencies separated by a colon",
    "llmist reads it as a comma, but the format does not define it; write a comma",
)
UNTERMINATED_HEADER: Final = ProblemKind(
    "G010",
    "unterminated-header",
    Severity.WARNING,
    "No newline after the header of a call",
    "llmist shows the header as text and runs nothing; end the line",
)
TEXT_BEFORE_ARGUMENTS: Final = ProblemKind(
    "G011",
    "text-before-arguments",
    Severity.WARNING,
    "Text before the arguments",
    "llmist ignores it; write it after an argument marker, `{marker}`, or remove it",
    unnecessary=True,
)
MISSPELT_MARKER: Final = ProblemKind(
    "G012",
    "misspelt-marker",
    Severity.WARNING,
    "Misspelt marker",
    "llmist reads it as text; write `{marker}`",
)
DUPLICATE_POINTER: Final = ProblemKind(
    "G101",
    "duplicate-pointer",
    Severity.ERROR,
    "Duplicate pointer: {pointer}",
    "llmist rejects the whole call; first given {where}, rename or remove one",
)
ARRAY_INDEX_GAP: Final = ProblemKind(
    "G102",
    "array-index-gap",
    Severity.ERROR,
    "Array index gap: expected {expected}, got {got}",
    "llmist rejects the whole call; give the indices in order, from 0",
)
INVALID_ARRAY_INDEX: Final = ProblemKind(
    "G103",
    "invalid-array-index",
    Severity.ERROR,
    "Invalid array index: {segment}",
    "llmist rejects the whole call; use a whole number from 0",
)
POINTER_CONFLICT: Final = ProblemKind(
    "G104",
    "pointer-conflict",
    Severity.ERROR,
    "Cannot create property '{segment}' on {type} '{value}'",
    _BELOW_VALUE,
    {"read-only": Case("Cannot assign to read only property '{segment}' of string '{value}'", _BELOW_VALUE)},
)
POINTER_OVERWRITTEN: Final = ProblemKind(
    "G105",
    "pointer-overwritten",
    Severity.WARNING,
    "`{pointer}` replaces values given before it",
    "llmist silently drops the values given {where}; rename or remove one",
)
EMPTY_POINTER: Final = ProblemKind(
    "G106",
    "empty-pointer",
    Severity.WARNING,
    "Argument without a pointer",
    "llmist silently drops its value; write a pointer after the marker, or remove the argument",
    unnecessary=True,
)
UNSAFE_POINTER: Final = ProblemKind(
    "G107",
    "unsafe-pointer",
    Severity.ERROR,
    "Unsafe pointer: {pointer}",
    "every {owner} of the runtime inherits {segment!r}, so this would write outside the call; llmblocks rejects the "
    "call, rename the argument",
)
EMPTY_POINTER_SEGMENT: Final = ProblemKind(
    "G108",
    "empty-pointer-segment",
    Severity.WARNING,
    "Empty segment in `{pointer}`",
    "llmist creates a property with an empty name; remove the `/`",
)
LENIENT_ARRAY_INDEX: Final = ProblemKind(
    "G109",
    "lenient-array-index",
    Severity.WARNING,
    "Lenient array index: {segment}",
    "llmist reads it as {index}; write {index}",
)
DUPLICATE_INVOCATION_ID: Final = ProblemKind(
    "G110",
    "duplicate-invocation-id",
    Severity.ERROR,
    "Duplicate invocation id: {id}",
    "llmist keeps one result for each id; give this call an id of its own",
)
UNKNOWN_DEPENDENCY: Final = ProblemKind(
    "G111",
    "unknown-dependency",
    Severity.WARNING,
    'Dependency "{dependency}" was never executed - check that the invocation ID exists and is spelled correctly',
    "no call of this response or an earlier one has this id, so llmist skips the call; correct or remove it",
)
DEPENDENCY_CYCLE: Final = ProblemKind(
    "G112",
    "dependency-cycle",
    Severity.ERROR,
    'Circular dependency detected: "{id}" depends on "{dependency}" which also depends on "{id}" '
    "(directly or indirectly)",
    "llmist runs neither; remove one of the dependencies on the cycle",
    {"and-missing": Case("Dependencies unresolvable: circular=[{circular}], missing=[{missing}]")},
)
SELF_DEPENDENCY: Final = ProblemKind(
    "G113",
    "self-dependency",
    Severity.ERROR,
    'Gadget "{id}" cannot depend on itself (self-referential dependency)',
    "llmist skips a call that depends on nothing else; remove this dependency",
)
REPEATED_DEPENDENCY: Final = ProblemKind(
    "G114",
    "repeated-dependency",
    Severity.INFORMATION,
    "Repeated dependency: {dependency}",
    "llmist counts it once; remove this one",
    unnecessary=True,
)
CLOSING_FENCE_LOST: Final = ProblemKind(
    "G115",
    "closing-fence-lost",
    Severity.WARNING,
    "Closing code fence at the end of a call",
    "llmist removes it as the end of a fence around all arguments; write the fence twice",
)
TRAILING_WHITESPACE_LOST: Final = ProblemKind(
    "G116",
    "trailing-whitespace-lost",
    Severity.INFORMATION,
    "White space at the end of the last value",
    "llmist trims it; remove it, or write another argument after it",
    unnecessary=True,
)
CARRIAGE_RETURN_KEPT: Final = ProblemKind(
    "G117",
    "carriage-return-kept",
    Severity.WARNING,
    "Carriage return inside a value",
    "llmist keeps it in the value; convert the line ends of the document to LF",
)
NUMBER_PRECISION_LOST: Final = ProblemKind(
    "G118",
    "number-precision-lost",
    Severity.WARNING,
    "Number with too many digits: {digits}",
    "llmist reads {value}; write fewer digits, or make the parameter a string in the gadget's schema",
)
POINTER_ESCAPE_NOT_DECODED: Final = ProblemKind(
    "G119",
    "pointer-escape-not-decoded",
    Severity.INFORMATION,
    "`{escape}` in a pointer",
    "llmist does not decode it to `{character}`; write a name that needs no escape",
)
POINTER_TOO_DEEP: Final = ProblemKind(
    "G120",
    "pointer-too-deep",
    Severity.ERROR,
    "Pointer nested too deeply: {count} segments, and at most {most} are read; shorten it",
)
IGNORED_POINTER: Final = ProblemKind(
    "G121",
    "ignored-pointer",
    Severity.WARNING,
    "`{pointer}` gives no value",
    "llmist silently drops it and runs the call; rename the argument",
)
UNKNOWN_GADGET: Final = ProblemKind(
    "G201",
    "unknown-gadget",
    Severity.ERROR,
    "Error: Gadget '{name}' not found.",
    "nothing runs; {advice}",
)
UNKNOWN_PARAMETER: Final = ProblemKind(
    "G202",
    "unknown-parameter",
    Severity.WARNING,
    "{name!r} is not a parameter",
    "llmist drops the value and runs {gadget} without it; {advice}",
)
MISSING_PARAMETER: Final = ProblemKind(
    "G203",
    "missing-parameter",
    Severity.ERROR,
    "{path}: {message}",
    "llmist does not run {gadget} without this argument; add it",
)
WRONG_TYPE: Final = ProblemKind(
    "G204",
    "wrong-type",
    Severity.ERROR,
    "{path}: {message}",
    "llmist does not run {gadget}; give a value of the expected type",
)
NOT_AN_ALLOWED_VALUE: Final = ProblemKind(
    "G205",
    "not-an-allowed-value",
    Severity.ERROR,
    "{path}: {message}",
    "llmist does not run {gadget}; give an allowed value",
)
CONSTRAINT_VIOLATED: Final = ProblemKind(
    "G206",
    "constraint-violated",
    Severity.ERROR,
    "{path}: {message}",
    "llmist does not run {gadget}; change the value",
    {
        "too-deep": Case("nested too deeply to be validated"),
        "too-complex": Case("too complex to be validated against the schema"),
    },
)
COERCED_AGAINST_SCHEMA: Final = ProblemKind(
    "G207",
    "coerced-against-schema",
    Severity.INFORMATION,
    "{path} is {type}",
    "the schema of {gadget} says so; without a schema, llmist makes it {other}",
)
RULED: Final = (
    MISSING_GADGET_NAME,
    INVALID_IDENTIFIER,
    MARKER_CASE,
    ARGUMENT_OUTSIDE_CALL,
    END_OUTSIDE_CALL,
    TEXT_AFTER_END,
    MARKER_INSIDE_LINE,
    MISSING_END_MARKER,
    COLON_SEPARATED_DEPENDENCIES,
    UNTERMINATED_HEADER,
    TEXT_BEFORE_ARGUMENTS,
    MISSPELT_MARKER,
    DUPLICATE_POINTER,
    ARRAY_INDEX_GAP,
    INVALID_ARRAY_INDEX,
    POINTER_CONFLICT,
    POINTER_OVERWRITTEN,
    EMPTY_POINTER,
    UNSAFE_POINTER,
    EMPTY_POINTER_SEGMENT,
    LENIENT_ARRAY_INDEX,
    DUPLICATE_INVOCATION_ID,
    UNKNOWN_DEPENDENCY,
    DEPENDENCY_CYCLE,
    SELF_DEPENDENCY,
    REPEATED_DEPENDENCY,
    CLOSING_FENCE_LOST,
    TRAILING_WHITESPACE_LOST,
    CARRIAGE_RETURN_KEPT,
    NUMBER_PRECISION_LOST,
    POINTER_ESCAPE_NOT_DECODED,
    POINTER_TOO_DEEP,
    IGNORED_POINTER,
    UNKNOWN_GADGET,
    UNKNOWN_PARAMETER,
    MISSING_PARAMETER,
    WRONG_TYPE,
    NOT_AN_ALLOWED_VALUE,
    CONSTRAINT_VIOLATED,
    COERCED_AGAINST_SCHEMA,
)
"""The kinds with a rule, which an editor reports."""
