#include "tree_sitter/parser.h"

#include <stdlib.h>
#include <string.h>

// The order of `externals` in grammar.js.
enum TokenType {
  SIGN,
  ROLE,
  END_SIGN,
  LINE_END,
  RESPONSE,
  PROMPT,
  MARKER,
  EXAMPLE_HEADER,
  EXAMPLE_POINTER,
  RESULT_SIGN,
  INVOCATION_ID,
  RESULT_END,
  OUTPUT,
  MEDIA,
};

enum Place {
  LINE_START,
  FIRST,  // behind the header of a user's message
  INSIDE,
  BEHIND_SIGN,
  BEHIND_ROLE,
  BEHIND_HEADER,
  IN_HEADER,  // behind a start marker that begins a line of instructions
  IN_POINTER,
  BEHIND_RESULT,
  BEHIND_ID,
};

enum Role { NOBODY, SYSTEM, USER, ASSISTANT };

// The characters of the longest id in a result.
enum { LONGEST_ID = 128 };

typedef struct {
  uint8_t place;     // enum Place
  uint8_t role;      // enum Role
  uint8_t returned;  // the message is the result of a call
} Scanner;

void *tree_sitter_request_external_scanner_create(void) { return calloc(1, sizeof(Scanner)); }

void tree_sitter_request_external_scanner_destroy(void *payload) { free(payload); }

unsigned tree_sitter_request_external_scanner_serialize(void *payload, char *buffer) {
  memcpy(buffer, payload, sizeof(Scanner));
  return sizeof(Scanner);
}

void tree_sitter_request_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  memset(payload, 0, sizeof(Scanner));
  if (length == sizeof(Scanner)) memcpy(payload, buffer, length);
}

static void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static bool is(TSLexer *lexer, int32_t character) {
  return lexer->lookahead == character && !lexer->eof(lexer);
}

static bool emit(TSLexer *lexer, enum TokenType type) {
  lexer->result_symbol = type;
  return true;
}

// Reads on while the text is as given.
static bool take(TSLexer *lexer, const char *word) {
  for (; *word; word++) {
    if (!is(lexer, *word)) return false;
    advance(lexer);
  }
  return true;
}

static bool take_marked(TSLexer *lexer, const char *word, enum TokenType type) {
  take(lexer, word);
  lexer->mark_end(lexer);
  return emit(lexer, type);
}

// Reads the header of a message, up to its line end; gives its role. `mark` puts the end of the token behind the sign.
static enum Role take_header(TSLexer *lexer, bool mark) {
  if (!take(lexer, "=== ")) return NOBODY;
  if (mark) lexer->mark_end(lexer);
  enum Role role = NOBODY;
  if (is(lexer, 'U')) {
    role = take(lexer, "USER") ? USER : NOBODY;
  } else if (is(lexer, 'A')) {
    role = take(lexer, "ASSISTANT") ? ASSISTANT : NOBODY;
  } else if (is(lexer, 'S')) {
    role = take(lexer, "SYSTEM") ? SYSTEM : NOBODY;
  }
  if (role == NOBODY || !take(lexer, " ===")) return NOBODY;
  if (lexer->eof(lexer)) return role;
  if (is(lexer, '\r')) advance(lexer);
  return is(lexer, '\n') ? role : NOBODY;
}

// Reads the beginning of a result. The token is its sign, or text where it is none.
static bool scan_result(Scanner *scanner, TSLexer *lexer) {
  scanner->place = INSIDE;
  bool begun = take(lexer, "Result (");
  lexer->mark_end(lexer);
  if (!begun) return emit(lexer, PROMPT);
  unsigned length = 0;
  while (!lexer->eof(lexer) && !is(lexer, '(') && !is(lexer, ')') && !is(lexer, ':') && !is(lexer, '\n')) {
    if (++length > LONGEST_ID) break;
    advance(lexer);
  }
  if (!length || length > LONGEST_ID || !take(lexer, "): ")) return emit(lexer, PROMPT);
  scanner->place = BEHIND_RESULT;
  scanner->returned = true;
  return emit(lexer, RESULT_SIGN);
}

typedef enum { NOTHING, MANY_BANGS, START, ARGUMENT, END } Found;

// Reads what begins with an exclamation mark. Of four of them the first is text. `mark` puts the end of the token behind
// the first one.
static Found take_marker(TSLexer *lexer, bool mark) {
  advance(lexer);
  if (mark) lexer->mark_end(lexer);
  if (!take(lexer, "!!")) return NOTHING;
  if (is(lexer, '!')) return MANY_BANGS;
  if (is(lexer, 'A')) return take(lexer, "ARG:") ? ARGUMENT : NOTHING;
  if (!take(lexer, "GADGET_")) return NOTHING;
  if (is(lexer, 'E')) return take(lexer, "END") ? END : NOTHING;
  return take(lexer, "START:") ? START : NOTHING;
}

static bool scan_marker(Scanner *scanner, TSLexer *lexer, Found found, bool begins) {
  lexer->mark_end(lexer);
  scanner->place = !begins || found == END ? INSIDE : found == START ? IN_HEADER : IN_POINTER;
  return emit(lexer, MARKER);
}

static void take_line(TSLexer *lexer) {
  while (!lexer->eof(lexer) && !is(lexer, '\n')) advance(lexer);
  lexer->mark_end(lexer);
}

// The text of a message, up to the next header; or what begins here.
static bool scan_text(Scanner *scanner, TSLexer *lexer) {
  bool any = false, start = scanner->place != INSIDE;
  enum TokenType type = scanner->role == ASSISTANT ? RESPONSE : scanner->returned ? OUTPUT : PROMPT;
  while (!lexer->eof(lexer)) {
    if (start && is(lexer, '=')) {
      if (any) lexer->mark_end(lexer);
      enum Role role = take_header(lexer, !any);
      if (role != NOBODY) {
        scanner->place = any ? LINE_START : BEHIND_SIGN;
        if (any) return emit(lexer, type);
        scanner->role = (uint8_t)role;
        scanner->returned = false;
        return emit(lexer, SIGN);
      }
      any = true;
      start = false;
      continue;
    }
    if (start && scanner->place == FIRST && is(lexer, 'R')) return scan_result(scanner, lexer);
    if (start && type == OUTPUT && is(lexer, '[')) {
      if (any) lexer->mark_end(lexer);
      if (take(lexer, "[Media: ")) {
        scanner->place = any ? LINE_START : INSIDE;
        if (any) return emit(lexer, OUTPUT);
        take_line(lexer);
        return emit(lexer, MEDIA);
      }
      any = true;
      start = false;
      continue;
    }
    if (type == PROMPT && is(lexer, '!')) {
      if (any) lexer->mark_end(lexer);
      Found found = take_marker(lexer, !any);
      if (found == MANY_BANGS) {
        scanner->place = INSIDE;
        if (!any) return emit(lexer, PROMPT);
        scanner->place = start ? LINE_START : INSIDE;
        return emit(lexer, PROMPT);
      }
      if (found != NOTHING) {
        if (!any) return scan_marker(scanner, lexer, found, start);
        scanner->place = start ? LINE_START : INSIDE;
        return emit(lexer, PROMPT);
      }
      any = true;
      start = false;
      continue;
    }
    start = is(lexer, '\n');
    advance(lexer);
    any = true;
    if (scanner->place == FIRST) scanner->place = INSIDE;
  }
  lexer->mark_end(lexer);
  scanner->place = INSIDE;
  return any && emit(lexer, type);
}

bool tree_sitter_request_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  Scanner *scanner = payload;
  (void)valid;
  switch (scanner->place) {
    case BEHIND_SIGN:
      scanner->place = BEHIND_ROLE;
      return take_marked(lexer, scanner->role == USER ? "USER" : scanner->role == SYSTEM ? "SYSTEM" : "ASSISTANT", ROLE);
    case BEHIND_ROLE:
      scanner->place = BEHIND_HEADER;
      return take_marked(lexer, " ===", END_SIGN);
    case BEHIND_HEADER:
      if (lexer->eof(lexer)) return false;
      scanner->place = scanner->role == USER ? FIRST : LINE_START;
      if (is(lexer, '\r')) advance(lexer);
      return take_marked(lexer, "\n", LINE_END);
    case IN_HEADER:
    case IN_POINTER: {
      enum TokenType type = scanner->place == IN_HEADER ? EXAMPLE_HEADER : EXAMPLE_POINTER;
      scanner->place = INSIDE;
      if (lexer->eof(lexer)) return false;
      if (is(lexer, '\n')) return scan_text(scanner, lexer);
      take_line(lexer);
      return emit(lexer, type);
    }
    case BEHIND_RESULT:
      while (!lexer->eof(lexer) && !is(lexer, ')')) advance(lexer);
      lexer->mark_end(lexer);
      scanner->place = BEHIND_ID;
      return emit(lexer, INVOCATION_ID);
    case BEHIND_ID:
      scanner->place = INSIDE;
      return take_marked(lexer, "): ", RESULT_END);
    default: return scan_text(scanner, lexer);
  }
}
