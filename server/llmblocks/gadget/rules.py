"""The rules of the gadget block format."""

from __future__ import annotations

from typing import Final

from llmblocks.facts.rule import Case, Rank, error, information, rules_in, warning
from llmblocks.facts.severity import Severity

SEARCH: Final = """\
{
  "name": "Search",
  "description": "Searches files",
  "schema": {
    "type": "object",
    "properties": {
      "query": {"type": "string"},
      "limit": {"type": "integer", "minimum": 1},
      "order": {"enum": ["newest", "oldest"]}
    },
    "required": ["query"]
  }
}
"""
"""The gadget that the examples call."""
_REED = "!!!GADGET_START:Reed:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n"
_READ = "!!!GADGET_START:Read:r2\n!!!ARG:path\nb.txt\n!!!GADGET_END\n"
_REQUEST = f"""\
=== USER ===
Read a.txt and b.txt.

=== ASSISTANT ===
{_REED}
=== USER ===
Result (r1): Error: Gadget 'Reed' not found. Available gadgets: Read, Write

=== ASSISTANT ===
{_READ}
=== USER ===
Result (r2): Bread, milk
"""

G001_MISSING_GADGET_NAME: Final = error(
    "Error: Gadget '' not found.\nthe header has no name\nwrite the gadget's name after `{marker}`",
    about="The header of a call has no gadget name. llmist finds no gadget with an empty name, so the call fails with "
    "`Error: Gadget '' not found.` The text after the second colon is an id, not the name.",
    bad="!!!GADGET_START::g1\n!!!ARG:name\nAda\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet:g1\n!!!ARG:name\nAda\n!!!GADGET_END\n",
    by_hand="calls.named_gadget",
)
G002_INVALID_IDENTIFIER: Final = warning(
    "Invalid {what}: `{name}`\nllmist uses it exactly as written, spaces included\nuse only letters, digits and `_`",
    cases={"empty": "Empty invocation id\nall calls with an empty id share it\nwrite an id, or remove the colon"},
    about="A gadget name, an invocation id or a dependency has other characters than an identifier. The format allows "
    "ASCII letters, digits and `_`. In an id, `-`, `.` and a digit at the start do no harm, and are not reported: "
    "llmist's own examples write `inv-001` and `123`. llmist checks nothing: it looks for the exact text, so a space "
    "before a colon causes `Error: Gadget 'Greet ' not found.` An empty id is an id too: two calls with empty ids "
    "share it.",
    bad="!!!GADGET_START:Greet : g1\n!!!ARG:name\nAda\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet:g1\n!!!ARG:name\nAda\n!!!GADGET_END\n",
    by_hand="calls.identifier",
)
G003_MARKER_CASE: Final = warning(
    "`{marker}` in the wrong case\nllmist reads it as text\nwrite `{marker}`",
    about="A line begins with a marker in the wrong case. Markers are case-sensitive: llmist reads this line as text, "
    "or as part of the value before it.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!arg:greeting\nHello\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:greeting\nHello\n!!!GADGET_END\n",
    rank=Rank.SPELLING,
    fix="calls.exact_marker",
    remedy="Writes the marker, or all misspelt markers of the call if one is not enough. Unsafe: text becomes a call, "
    "or part of one.",
)
G004_ARGUMENT_OUTSIDE_CALL: Final = warning(
    "`{marker}` outside any call\nit belongs to no call, and llmist shows it as text\n"
    "begin a call before it, or remove it",
    about="An argument marker is outside any call. The argument belongs to no call: llmist reads the marker and the "
    "lines after it as text, and the user sees them. Often the start marker of a call is missing, or its end marker "
    "comes too early.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\n!!!ARG:greeting\nHello\n",
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:greeting\nHello\n!!!GADGET_END\n",
    by_hand="texts.removed",
)
G005_END_OUTSIDE_CALL: Final = warning(
    "`{marker}` outside any call\nit ends no call, and llmist shows it as text\nbegin a call before it, or remove it",
    about="An end marker is outside any call. It ends no call: llmist reads it as text, and the user sees it. Often a "
    "model ended one call twice, or the start marker of a call is missing.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\n",
    rank=Rank.STRUCTURE,
    fix="texts.removed",
    remedy="Removes the marker, and its line if nothing else is on it. Unsafe: the text that the user sees changes, "
    "and only the author knows whether a call was meant.",
)
G006_TEXT_AFTER_END: Final = warning(
    "Text right after `{marker}`\nllmist ends the call and shows this as text\nmove it to a new line",
    about="Text follows an end marker on its line. llmist looks for the marker, not for a whole word: it ends the call "
    "and shows the rest to the user. `!!!GADGET_ENDED` ends a call and shows `ED`.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_ENDDone.\n",
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\nDone.\n",
    rank=Rank.STRUCTURE,
    fix="calls.new_line",
    remedy="Moves the text to a new line. Unsafe: marker and text may have been meant as one text.",
)
G007_MARKER_INSIDE_LINE: Final = warning(
    "`{marker}` inside a line\nllmist reads it as a marker anywhere, and there is no escape\n"
    "move it to a new line, or take it out of the text",
    cases={
        "spaces": "`{marker}` after spaces\nllmist adds the spaces to the value before it\n"
        "begin the line with the marker"
    },
    about="A marker does not begin its line. llmist reads a marker anywhere in a line: it ends the value before it, or "
    "begins a call in the middle of a sentence. There is no escape. Spaces before an argument marker become part of "
    "the previous value, so a number becomes text.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda !!!ARG:greeting\nHello\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:greeting\nHello\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Greet\n!!!ARG:name\nAda \n!!!ARG:greeting\nHello\n!!!GADGET_END\n",
    rank=Rank.STRUCTURE,
    fix="calls.new_line",
    remedy="Moves the marker to a new line, which changes no value. Unsafe: it may be meant as text. Spaces before a "
    "marker stay: removing them would change the value.",
)
G008_MISSING_END_MARKER: Final = information(
    "No `{marker}` ends this call\nllmist ends it at the next call or at the end of the text\n"
    "write `{marker}` after its last argument",
    cases={
        "last": Case(
            "No `{marker}` ends this call yet\nllmist ends it with the text, even if a response was cut off\n"
            "write `{marker}` after its last argument",
            Severity.HINT,
        )
    },
    unfinished=True,
    about="A call has no end marker. llmist ends the call at the next call, or at the end of the text. It cannot know "
    "whether the last value is complete: text meant for the user becomes part of it, and a truncated call runs anyway. "
    "The last call of a document may still grow if nothing follows it, so there this is only a hint.",
    bad="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_START:Read:r2\n!!!ARG:path\nb.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Read:r2\n!!!ARG:path\nb.txt\n!!!GADGET_END\n",
    rank=Rank.STRUCTURE,
    fix="calls.added_end",
    remedy="Writes the end marker after the last argument, which changes no value. Unsafe: a value may be incomplete.",
)
G009_COLON_SEPARATED_DEPENDENCIES: Final = information(
    "Dependencies separated by a colon\nllmist reads it as a comma, but the format does not define it\nwrite a comma",
    about="A colon separates two dependencies. The format defines commas. llmist reads every further colon of a header "
    "as a comma; other programs may not.",
    bad="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Read:r2\n!!!ARG:path\nb.txt\n!!!GADGET_END\n!!!GADGET_START:Read:r3:r1:r2\n!!!ARG:path\nc.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Read:r2\n!!!ARG:path\nb.txt\n!!!GADGET_END\n!!!GADGET_START:Read:r3:r1,r2\n!!!ARG:path\nc.txt\n!!!GADGET_END\n",
    fix="calls.comma",
    remedy="Writes a comma. llmist reads the same dependencies. Safe except in chats, where the text of a message is "
    "itself a value.",
)
G010_UNTERMINATED_HEADER: Final = warning(
    "No newline after the header of a call\nllmist shows the header as text and runs nothing\nend the line",
    unfinished=True,
    about="The text ends with the header of a call. A header ends with a newline. Without one, llmist begins no call "
    "and shows the header to the user as text. Often the response was cut off here.",
    bad="!!!GADGET_START:Greet",
    good="!!!GADGET_START:Greet\n!!!GADGET_END\n",
    by_hand="calls.ended_header",
)
G011_TEXT_BEFORE_ARGUMENTS: Final = warning(
    "Text before the arguments\nllmist ignores it\nwrite it after an argument marker, `{marker}`, or remove it",
    unnecessary=True,
    about="Text comes between the header of a call and its first argument. llmist ignores it. Models that know other "
    "formats write JSON there; the gadget then runs without arguments.",
    bad='!!!GADGET_START:Greet\n{"name": "Ada"}\n!!!GADGET_END\n',
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\n",
    by_hand="arguments.removed_text",
)
G012_MISSPELT_MARKER: Final = warning(
    "Misspelt `{marker}`\nllmist reads it as text\nwrite `{marker}`",
    about="A line begins with a misspelt marker. Only exact markers count: llmist reads this line as text, or as part "
    "of the value before it. A line is reported if it differs from a marker of at least three letters in one "
    "character, or from a marker of at least six letters in two. Two swapped neighbours count as one difference. A "
    "line that begins with spaces is not reported.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!AGR:greeting\nHello\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:greeting\nHello\n!!!GADGET_END\n",
    rank=Rank.SPELLING,
    fix="calls.exact_marker",
    remedy="Writes the marker, or all misspelt markers of the call if one is not enough. Unsafe: text becomes a call, "
    "or part of one.",
)
G101_DUPLICATE_POINTER: Final = error(
    "Duplicate pointer: {pointer}\nllmist rejects the whole call\nrename or remove one of them; first given {where}",
    about="Two arguments of one call have the same pointer. llmist does not choose between them: the call fails with "
    "`Duplicate pointer: …` and the gadget does not run. White space around a pointer is ignored.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nGrace\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet\n!!!ARG:first\nAda\n!!!ARG:second\nGrace\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\n",
    fix="arguments.distinct_pointers",
    remedy="Gives the later element of an array the next free index, or numbers the elements in order; removes any "
    "other later argument. Safe if the values of an argument outside of arrays are equal; otherwise unsafe: only the "
    "author knows which value was meant.",
    by_hand="arguments.chosen_duplicate",
)
G102_ARRAY_INDEX_GAP: Final = error(
    "Array index gap: expected {expected}, got {got}\nllmist rejects the whole call\ngive the indices in order, from 0",
    about="An array index is higher than the number of elements given before it. llmist builds arrays in the order of "
    "the arguments. With a gap, the call fails with `Array index gap: expected N, got M` and the gadget does not run.",
    bad="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/2\n3\n!!!GADGET_END\n",
    good="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/1\n3\n!!!GADGET_END\n",
    fix="arguments.renumbering",
    remedy="Numbers the elements of the array in their order, or gives this one the expected index. Unsafe: an element "
    "may be missing instead.",
)
G103_INVALID_ARRAY_INDEX: Final = error(
    "Invalid array index: {segment}\nllmist rejects the whole call\nuse a whole number from 0",
    about="A pointer segment inside an array is not an index. The first argument below a pointer decides: a whole "
    "number makes an array, anything else an object. If a later segment does not fit, the call fails with `Invalid "
    "array index: …` and the gadget does not run.",
    bad="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/last\n3\n!!!GADGET_END\n",
    good="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/1\n3\n!!!GADGET_END\n",
    by_hand="arguments.next_index",
)
G104_POINTER_CONFLICT: Final = error(
    "Cannot create property '{segment}' on {type} '{value}'\nllmist rejects the whole call\n"
    "rename one of the two arguments",
    cases={
        "read-only": Case(
            "'{segment}' of a string is read-only\nllmist rejects the whole call\nrename one of the two arguments",
            runtime="Cannot assign to read only property '{segment}' of string '{value}'",
        )
    },
    about="A pointer leads below a value that is not an object. The earlier argument is a text, a number or a boolean, "
    "and cannot contain other values. The call fails with `Cannot create property …` and the gadget does not run.",
    bad="!!!GADGET_START:Open\n!!!ARG:file\na.txt\n!!!ARG:file/mode\nread\n!!!GADGET_END\n",
    good="!!!GADGET_START:Open\n!!!ARG:file/path\na.txt\n!!!ARG:file/mode\nread\n!!!GADGET_END\n",
    by_hand="arguments.removed_argument",
)
G105_POINTER_OVERWRITTEN: Final = warning(
    "`{pointer}` replaces values given before it\nllmist silently drops the values given {where}\n"
    "rename or remove one of them",
    about="A pointer replaces values that were given before it. The later value replaces all values below its pointer. "
    "llmist reports nothing: the gadget runs without the earlier values.",
    bad="!!!GADGET_START:Open\n!!!ARG:file/path\na.txt\n!!!ARG:file\nb.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Open\n!!!ARG:file/path\na.txt\n!!!ARG:other\nb.txt\n!!!GADGET_END\n",
    by_hand="arguments.removed_argument",
)
G106_EMPTY_POINTER: Final = warning(
    "Argument without a pointer\nllmist silently drops its value\n"
    "write a pointer after the marker, or remove the argument",
    unnecessary=True,
    about="An argument has no pointer. llmist drops its value and runs the gadget without it. White space alone is not "
    "a pointer.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:\nGrace\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:other\nGrace\n!!!GADGET_END\n",
    by_hand="arguments.removed_argument",
)
G107_UNSAFE_POINTER: Final = error(
    "Unsafe pointer: {pointer}\nevery {owner} of the runtime inherits {segment!r}, so this would write outside the "
    "call: llmblocks rejects it\nrename the argument",
    about="A pointer leads into properties that every object of the runtime inherits. llmist runs on JavaScript, where "
    "every object inherits names such as `constructor`. It writes the value there, outside the call, where every later "
    "call finds it. llmblocks rejects the call.",
    bad="!!!GADGET_START:Open\n!!!ARG:constructor/mode\nread\n!!!GADGET_END\n",
    good="!!!GADGET_START:Open\n!!!ARG:settings/mode\nread\n!!!GADGET_END\n",
    by_hand="arguments.removed_argument",
)
G108_EMPTY_POINTER_SEGMENT: Final = warning(
    "Empty segment in `{pointer}`\nllmist creates a property with an empty name\nremove the `/`",
    about="A pointer has an empty segment. A `/` at the start or end of a pointer, or a doubled `/`, creates a "
    "property with an empty name: `a//b` is `b` inside a nameless property of `a`.",
    bad="!!!GADGET_START:Open\n!!!ARG:/file\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Open\n!!!ARG:file\na.txt\n!!!GADGET_END\n",
    fix="arguments.without_slashes",
    remedy="Removes the slashes. Unsafe: the value moves to another place, and a name may be missing.",
)
G109_LENIENT_ARRAY_INDEX: Final = warning(
    "Lenient array index: {segment}\nllmist reads it as {index}\nwrite {index}",
    about="An array index is not written as a plain number. Inside an array, llmist reads a segment up to the first "
    "character that is not a digit: `01`, `1abc` and `1.5` are all 1. The first index of an array must be digits only.",
    bad="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/01\n3\n!!!GADGET_END\n",
    good="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/1\n3\n!!!GADGET_END\n",
    fix="arguments.plain_index",
    remedy="Writes the index that llmist reads. Unsafe: another index may be meant.",
)
G110_DUPLICATE_INVOCATION_ID: Final = error(
    "Duplicate invocation id: {id}\nllmist keeps one result for each id\ngive this call a unique id",
    about="Two calls of one response have the same invocation id. llmist stores results and waiting calls by id: the "
    "later call replaces the earlier one. A call without an id has one, too: llmist numbers such calls `gadget_1`, "
    "`gadget_2`, and so on.",
    bad="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:w1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:r2\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    rank=Rank.STRUCTURE,
    fix="calls.fresh_id",
    remedy="Gives the later call an unused id. Unsafe: a dependency may mean this call.",
)
G111_UNKNOWN_DEPENDENCY: Final = warning(
    'No call so far has the id "{dependency}"\nllmist skips this call\ncorrect or remove the id',
    runtime='Dependency "{dependency}" was never executed - check that the invocation ID exists and is spelled '
    "correctly",
    about="A call depends on an id that no call has. llmist waits for the dependency until the response is over, then "
    'skips the call with `Dependency "…" was never executed`. Calls without an id are known as `gadget_1`, `gadget_2`, '
    "and so on. Ids of earlier responses are known too: in a folder of numbered llmist logs (`0001.response`, "
    "`0002.response`, …), this rule reads the files with smaller numbers. It reports nothing if one of them is missing "
    "or unreadable, and nothing in `.request` files, which repeat calls without running them.",
    bad="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:w1:r2\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:w1:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    fix="calls.nearest_ids",
    remedy="Writes the most similar id of an earlier call. Unsafe: only the author knows which one was meant.",
    by_hand="calls.removed_dependency",
)
G112_DEPENDENCY_CYCLE: Final = error(
    'Circular dependency of "{id}" and "{dependency}"\nllmist runs neither\n'
    "remove one of the dependencies on the cycle",
    runtime='Circular dependency detected: "{id}" depends on "{dependency}" which also depends on "{id}" (directly or '
    "indirectly)",
    cases={
        "and-missing": "Dependencies unresolvable: circular=[{circular}], missing=[{missing}]\n"
        "llmist runs none of these calls\n"
        "remove the dependencies on a cycle, and those that no call has"
    },
    about="Calls depend on one another in a circle. Each call waits for another, so llmist runs none of them, and none "
    "of the calls that depend on them. Every dependency on the cycle is reported; removing one may be enough.",
    bad="!!!GADGET_START:Read:r1:w1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:w1:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:w1:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    by_hand="calls.removed_dependency",
)
G113_SELF_DEPENDENCY: Final = error(
    '"{id}" depends on itself\nllmist skips a call that depends on nothing else\nremove this dependency',
    runtime='Gadget "{id}" cannot depend on itself (self-referential dependency)',
    about="A call depends on itself. llmist never runs a call whose only dependency is itself. If there are others, it "
    "ignores this one.",
    bad="!!!GADGET_START:Read:r1:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    fix="calls.removed_dependency",
    remedy="Removes the dependency. Unsafe: another call may be meant.",
)
G114_REPEATED_DEPENDENCY: Final = information(
    "Repeated dependency: {dependency}\nllmist counts it once\nremove this one",
    unnecessary=True,
    about="A call names a dependency twice. llmist counts it once. The repeat is often a typing mistake for "
    "another id.",
    bad="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:w1:r1,r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n!!!GADGET_START:Write:w1:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    fix="calls.removed_repetition",
    remedy="Removes the repeat. Unsafe: another call may be meant.",
)
G115_CLOSING_FENCE_LOST: Final = warning(
    "Closing code fence at the end of a call\nllmist removes it as the end of a fence around all arguments\n"
    "write the fence twice",
    cases={
        "value": "Code fence as the last value of a call\n"
        "llmist removes it as the end of a fence around all arguments\n"
        "write another argument after it"
    },
    about="The last value of a call loses its closing code fence. llmist removes a code fence around all arguments of "
    "a call without checking where the fence begins: it always removes three backticks at the end of the last value. "
    "The gadget gets an opening fence without a closing one, or a sentence that ends in backticks without them; a "
    "value that is only a fence is lost as a whole. A fence that begins before the first argument is not reported.",
    bad="!!!GADGET_START:Post\n!!!ARG:text\n```js\nrun();\n```\n!!!GADGET_END\n",
    good="!!!GADGET_START:Post\n!!!ARG:text\n```js\nrun();\n```\n!!!ARG:title\nRun\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Post\n!!!ARG:text\n```js\nrun();\n```\n```\n!!!GADGET_END\n",
    fix="arguments.second_fence",
    remedy="Writes the fence a second time; llmist removes only one. Unsafe: the value changes.",
)
G116_TRAILING_WHITESPACE_LOST: Final = information(
    "White space at the end of the last value\nllmist trims it\nremove it, or write another argument after it",
    unnecessary=True,
    about="White space at the end of the last value of a call is lost. llmist trims the end of a call, and so the last "
    "value, but no other value. Not reported if the value is the same without the white space, such as a number, or if "
    "the call has no end marker. An editor offers to remove it: `fix` never does, as the white space may be wanted.",
    by_hand="arguments.without_white_space",
    bad="!!!GADGET_START:Post\n!!!ARG:text\nHello  \n!!!GADGET_END\n",
    good="!!!GADGET_START:Post\n!!!ARG:text\nHello  \n!!!ARG:title\nRun\n!!!GADGET_END\n",
)
G117_CARRIAGE_RETURN_KEPT: Final = warning(
    "Carriage return inside a value\nllmist keeps it in the value\nconvert the line ends of the document to LF",
    about="A value contains a carriage return. Only a newline ends a line of a call. With CRLF line ends, every line "
    "of a value keeps its carriage return, the last one included, unless the value is a number, a boolean, or the last "
    "of its call. In a chat of the `@` dialect, CRLF is a line end.",
    bad="!!!GADGET_START:Post\n!!!ARG:text\nHello\r\n!!!ARG:title\nRun\n!!!GADGET_END\n",
    good="!!!GADGET_START:Post\n!!!ARG:text\nHello\n!!!ARG:title\nRun\n!!!GADGET_END\n",
    rank=Rank.LINE_ENDS,
    fix="texts.line_feeds",
    remedy="Ends all lines of the document with LF. Unsafe: values lose their carriage returns.",
    whole=True,
)
G118_NUMBER_PRECISION_LOST: Final = warning(
    "Number with too many digits: {digits}\nllmist reads {value}\n"
    "write fewer digits, or make the parameter a string in the gadget's schema",
    about="A number has more digits than the runtime keeps. llmist reads a value that looks like a number as a "
    "float64, with about 16 digits. A long id or a long fraction becomes a different number.",
    bad="!!!GADGET_START:Delete\n!!!ARG:id\n9007199254740993\n!!!GADGET_END\n",
    good="!!!GADGET_START:Delete\n!!!ARG:id\n9007199254740992\n!!!GADGET_END\n",
    by_hand="arguments.plain_number",
)
G119_POINTER_ESCAPE_NOT_DECODED: Final = information(
    "`{escape}` in a pointer\nllmist does not decode it to `{character}`\nwrite a name that needs no escape",
    about="A pointer contains an escape of JSON Pointer. In JSON Pointer, `~1` stands for `/` and `~0` for `~`. llmist "
    "decodes neither: they are part of the name.",
    bad="!!!GADGET_START:Open\n!!!ARG:a~1b\n1\n!!!GADGET_END\n",
    good="!!!GADGET_START:Open\n!!!ARG:a/b\n1\n!!!GADGET_END\n",
    by_hand="arguments.decoded_escape",
)
G120_POINTER_TOO_DEEP: Final = error(
    "Pointer nested too deeply: {count} segments\nat most {most} are read, and the call is rejected\nshorten it",
    about="A pointer has too many segments. llmblocks reads pointers of up to 1,000 segments and rejects calls with "
    "longer ones. llmist has no limit, but no gadget expects such values.",
    bad="!!!GADGET_START:Open\n!!!ARG:" + "a/" * 1000 + "b\n1\n!!!GADGET_END\n",
    good="!!!GADGET_START:Open\n!!!ARG:a/b/c\n1\n!!!GADGET_END\n",
    by_hand="arguments.removed_argument",
)
G121_IGNORED_POINTER: Final = warning(
    "`{pointer}` gives no value\nllmist silently drops it and runs the call\nrename the argument",
    about="A pointer ends in `__proto__`. llmist runs on JavaScript, where assigning text to `__proto__` does nothing. "
    "The value is dropped, and the gadget runs without it.",
    bad="!!!GADGET_START:Open\n!!!ARG:settings/mode\nread\n!!!ARG:settings/__proto__\nx\n!!!GADGET_END\n",
    good="!!!GADGET_START:Open\n!!!ARG:settings/mode\nread\n!!!ARG:settings/proto\nx\n!!!GADGET_END\n",
    by_hand="arguments.removed_argument",
)
G122_REPEATED_CALL: Final = information(
    "the same call as the one before\nthe gadget runs twice with the same parameters\nremove one of them",
    about="Two consecutive calls are identical. A model that loses its place writes a call twice, and llmist runs "
    "both: a file is written twice, a message is sent twice. Gadget, dependencies and arguments must be equal as "
    "written; ids may differ. Calls in different messages are not compared, nor are calls without arguments, such as "
    "one that loads the next page.",
    bad="!!!GADGET_START:Send:s1\n!!!ARG:text\nHello\n!!!GADGET_END\n"
    "!!!GADGET_START:Send:s2\n!!!ARG:text\nHello\n!!!GADGET_END\n",
    good="!!!GADGET_START:Send:s1\n!!!ARG:text\nHello\n!!!GADGET_END\n"
    "!!!GADGET_START:Send:s2\n!!!ARG:text\nBye\n!!!GADGET_END\n",
    by_hand="calls.removed_call",
)
G201_UNKNOWN_GADGET: Final = error(
    "Error: Gadget '{name}' not found.\nnothing runs\n{advice}",
    about="A call names a gadget that no schema defines. llmist finds no gadget with this name, even if case is "
    "ignored, and answers the call with `Error: Gadget '…' not found.` The rules about schemas apply as soon as there "
    "is one schema; see [schemas](../schemas.md).",
    bad="!!!GADGET_START:Serach\n!!!ARG:query\nnotes\n!!!GADGET_END\n",
    good="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!GADGET_END\n",
    fix="calls.renamed_gadget",
    remedy="Renames the gadget to the most similar one, even if its schema then finds mistakes in the arguments. "
    "Unsafe: only the author knows which one was meant.",
)
G202_UNKNOWN_PARAMETER: Final = warning(
    "{name!r} is not a parameter\nllmist drops the value and runs {gadget} without it\n{advice}",
    about="The schema of a gadget has no parameter for an argument. llmist silently drops the value and runs the "
    "gadget, which then uses a default or nothing. A schema that allows other properties, with `additionalProperties`, "
    "has no unknown parameters.",
    bad="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:limt\n3\n!!!GADGET_END\n",
    good="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:limit\n3\n!!!GADGET_END\n",
    fix="parameters.renamed_parameter",
    remedy="Renames the parameter to the most similar one. Unsafe: only the author knows which one was meant.",
    by_hand="arguments.removed_argument",
)
_OF_SERVER = "llmist does not check this and sends the call of {gadget}, which the MCP server may reject"
G203_MISSING_PARAMETER: Final = error(
    "{path}: {message}\nllmist does not run {gadget} without this argument\nadd it",
    cases={"server": Case("{path}: {message}\n" + _OF_SERVER + "\nadd this argument", Severity.WARNING)},
    about="A call lacks an argument that the schema of its gadget requires. llmist does not run the gadget and answers "
    "with `Invalid input: expected …, received undefined`. A parameter with a default is never missing.",
    bad="!!!GADGET_START:Search\n!!!ARG:limit\n3\n!!!GADGET_END\n",
    good="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:limit\n3\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Search\n!!!ARG:query\n\n!!!ARG:limit\n3\n!!!GADGET_END\n",
    fix="parameters.given_arguments",
    remedy="Gives its name to an unknown argument with a similar one. Without such an argument, inserts all that are "
    "missing, each with the first value that the schema names, or with an empty one for the author to fill in. Unsafe: "
    "the call then runs.",
)
_TYPED = "give a value of the expected type"
G204_WRONG_TYPE: Final = error(
    "{path}: {message}\nllmist does not run {gadget}\n" + _TYPED,
    cases={
        "no-value": Case("{path} has no value\nllmist does not run {gadget}\n" + _TYPED, runtime="{message}"),
        "server": Case("{path}: {message}\n" + _OF_SERVER + "\n" + _TYPED, Severity.WARNING),
    },
    about="The type of a value is not the type in the schema of its gadget. llmist converts a value to the type in the "
    "schema if it can: to a number, or to `true` or `false`. A value that cannot be converted stays text, and the "
    "gadget does not run.",
    bad="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:limit\na few\n!!!GADGET_END\n",
    good="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:limit\n3\n!!!GADGET_END\n",
    by_hand="parameters.other_value",
)
G205_NOT_AN_ALLOWED_VALUE: Final = error(
    "{path}: {message}\nllmist does not run {gadget}\ngive an allowed value",
    cases={"server": Case("{path}: {message}\n" + _OF_SERVER + "\ngive an allowed value", Severity.WARNING)},
    about="The schema of a gadget does not allow a value. llmist does not run the gadget and answers with `Invalid "
    "option: expected one of …`. Case matters, and so does white space around a value.",
    bad="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:order\nnewst\n!!!GADGET_END\n",
    good="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:order\nnewest\n!!!GADGET_END\n",
    fix="parameters.replaced_value",
    remedy="Replaces the value with an allowed one, the most similar first. Unsafe: only the author knows which one "
    "was meant.",
)
_UNJUDGED = "llmblocks cannot tell whether the call is valid, and refuses it"
G206_CONSTRAINT_VIOLATED: Final = error(
    "{path}: {message}\nllmist does not run {gadget}\nchange the value",
    cases={
        "server": Case("{path}: {message}\n" + _OF_SERVER + "\nchange the value", Severity.WARNING),
        "too-deep": "nested too deeply to be validated\n" + _UNJUDGED + "\nnest the parameters less",
        "too-complex": "too complex to be validated against the schema\n"
        + _UNJUDGED
        + "\nsimplify the schema, or the parameters",
    },
    about="A value violates a constraint in the schema of its gadget, such as a length or a pattern. llmist does not "
    "run the gadget and answers with the reason, such as `Too small: …` or `Invalid string: …`.",
    bad="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:limit\n0\n!!!GADGET_END\n",
    good="!!!GADGET_START:Search\n!!!ARG:query\nnotes\n!!!ARG:limit\n1\n!!!GADGET_END\n",
    by_hand="parameters.other_value",
)
G207_COERCED_AGAINST_SCHEMA: Final = information(
    "{path} is {type}\nthe schema of {gadget} says so; without a schema, llmist makes it {other}\n"
    "correct the schema if {gadget} needs {other}",
    about="The schema of a gadget changes the type of a value. Without a schema, llmist reads `42` as a number and "
    "`1e5` as text. With a schema, it uses the type in the schema. The gadget then gets a different value than a "
    "reader of the call, or a program without the schema, expects.",
    bad="!!!GADGET_START:Search\n!!!ARG:query\n42\n!!!GADGET_END\n",
    good="!!!GADGET_START:Search\n!!!ARG:query\n42 notes\n!!!GADGET_END\n",
)
G301_FAILED_CALL: Final = information(
    "{outcome}, according to {file}\nthe model saw the error\ncorrect the call",
    runtime="{error}",
    about="The result of a call says that it was rejected or failed. In a folder of numbered llmist logs "
    "(`0001.response`, `0002.request`, …), the next request has the result of each call. The errors that llmist writes "
    "count: an unknown gadget and wrong parameters, for which it rejects a call, and a timeout. A gadget's own result "
    "counts as a failure if llmist skipped a call that waits for this one, and nothing else explains it. This rule "
    "reads the saved files: an edit counts once it is saved.",
    file="0001.response",
    files=(("0002.request", _REQUEST),),
    bad=f"{_REED}{_READ}",
    good=_READ,
)
G302_SKIPPED_CALL: Final = information(
    "skipped: {reason}\nllmist did not run this call\ncorrect the call that stopped first",
    about="A call did not run, because a call that it depends on did not run or failed. llmist skips each call that "
    "depends on one that failed, was rejected, or was skipped itself. This rule reads the numbered logs of the folder: "
    "the call that stopped first may be in an earlier response. If the logs do not show which of several failed, it "
    "names all.",
    file="0002.response",
    files=(("0001.response", f"{_REED}{_READ}"), ("0002.request", _REQUEST)),
    bad="!!!GADGET_START:Write:w1:r1\n!!!ARG:path\nb.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Write:w1:r2\n!!!ARG:path\nb.txt\n!!!GADGET_END\n",
)
G303_REPEATED_FAILURE: Final = information(
    "The same call as {id} in {file}\nthat call did not succeed, and this is attempt {number} with the same "
    "parameters\nexplain the error to the model, or limit the attempts",
    about="A failed call is repeated with the same parameters. The model saw that the call failed, and repeats it "
    "unchanged in a later response. Blind retries cost tokens and seldom succeed. This rule reads the numbered logs of "
    "the folder, and compares gadget and parameters. A call that returned a result is not a retry.",
    file="0002.response",
    files=(("0001.response", f"{_REED}{_READ}"), ("0002.request", _REQUEST)),
    bad="!!!GADGET_START:Reed:r3\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    good="!!!GADGET_START:Read:r3\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
)
RULES: Final = rules_in(globals(), "gadget", SEARCH)
