#include "tree_sitter/parser.h"

// The order of `externals` in grammar.js.
enum TokenType {
  TEXT,
  IGNORED,
  STRING,
  NUMBER,
  BOOLEAN,
  VALUE_END,
  START_MARKER,
  ARGUMENT_MARKER,
  END_MARKER,
  STRAY_MARKER,
  BLANK,
  NAME,
  INVOCATION_ID,
  DEPENDENCY,
  COLON,
  COMMA,
  HEADER_END,
  KEY,
  INDEX,
  SLASH,
  POINTER_END,
};

typedef enum { NOTHING, MANY_BANGS, START, ARGUMENT, END } Found;

// Everything that a token depends on is in the parser's state: the scanner keeps nothing.
void *tree_sitter_gadget_external_scanner_create(void) { return NULL; }
void tree_sitter_gadget_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_gadget_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload, (void)buffer;
  return 0;
}
void tree_sitter_gadget_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload, (void)buffer, (void)length;
}

static void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static bool is(TSLexer *lexer, int32_t character) {
  return lexer->lookahead == character && !lexer->eof(lexer);
}

// The characters of JavaScript's String.prototype.trim.
static bool is_space(TSLexer *lexer) {
  int32_t c = lexer->lookahead;
  return (c >= '\t' && c <= '\r') || c == ' ' || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) ||
         c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000 || c == 0xfeff;
}

static bool is_digit(TSLexer *lexer) { return lexer->lookahead >= '0' && lexer->lookahead <= '9'; }

// Reads on while the text is as given. A text of another format in the middle of it ends a marker.
static bool take(TSLexer *lexer, const char *word) {
  for (; *word; word++) {
    if (!is(lexer, *word) || lexer->is_at_included_range_start(lexer)) return false;
    advance(lexer);
  }
  return true;
}

// Reads what begins with an exclamation mark. Of four of them the first is text, and what begins behind it is not
// known yet. `mark` puts the end of the token behind the first one.
static Found take_marker(TSLexer *lexer, bool mark) {
  advance(lexer);
  if (mark) lexer->mark_end(lexer);
  if (!take(lexer, "!!") || lexer->is_at_included_range_start(lexer)) return NOTHING;
  if (is(lexer, '!')) return MANY_BANGS;
  if (is(lexer, 'A')) return take(lexer, "ARG:") ? ARGUMENT : NOTHING;
  if (!take(lexer, "GADGET_")) return NOTHING;
  if (is(lexer, 'E')) return take(lexer, "END") ? END : NOTHING;
  return take(lexer, "START:") ? START : NOTHING;
}

static bool emit(TSLexer *lexer, enum TokenType type) {
  lexer->result_symbol = type;
  return true;
}

static bool emit_marker(TSLexer *lexer, const bool *valid, Found found) {
  lexer->mark_end(lexer);
  if (found == START) return emit(lexer, START_MARKER);
  if (found == END) return emit(lexer, valid[END_MARKER] ? END_MARKER : STRAY_MARKER);
  return emit(lexer, valid[ARGUMENT_MARKER] ? ARGUMENT_MARKER : STRAY_MARKER);
}

// A marker, or the text in front of the next one. The last newline of a value is no part of it.
static bool scan_text(TSLexer *lexer, const bool *valid, enum TokenType type, bool any) {
  while (!lexer->eof(lexer)) {
    bool newline = type == STRING && is(lexer, '\n');
    if (any && (newline || is(lexer, '!'))) lexer->mark_end(lexer);
    if (newline) {
      advance(lexer);
      if (!any) lexer->mark_end(lexer);
      if (lexer->eof(lexer)) return emit(lexer, any ? STRING : VALUE_END);
    }
    if (!is(lexer, '!')) {
      if (!newline) advance(lexer);
      any = true;
      continue;
    }
    Found found = take_marker(lexer, !any && !newline);
    if (found == MANY_BANGS) return emit(lexer, type);
    if (found != NOTHING) return any ? emit(lexer, type) : newline ? emit(lexer, VALUE_END) : emit_marker(lexer, valid, found);
    any = true;
  }
  lexer->mark_end(lexer);
  return any && emit(lexer, type);
}

// A value that the runtime takes for a number or a boolean; any other is a string, and the part of it that was read is
// its beginning. The last value of a call is trimmed, and loses a closing code fence.
static bool scan_value(TSLexer *lexer, const bool *valid) {
  enum TokenType type = STRING;
  bool any = false;
  while (is_space(lexer) && !is(lexer, '\n')) advance(lexer), any = true;
  if (is(lexer, '-') || is_digit(lexer)) {
    any = true;
    if (is(lexer, '-')) advance(lexer);
    bool whole = is_digit(lexer);
    while (is_digit(lexer)) advance(lexer);
    if (whole && is(lexer, '.')) {
      advance(lexer);
      whole = is_digit(lexer);
      while (is_digit(lexer)) advance(lexer);
    }
    if (whole) type = NUMBER;
  } else if (is(lexer, 't') || is(lexer, 'f')) {
    any = true;
    if (take(lexer, is(lexer, 't') ? "true" : "false")) type = BOOLEAN;
  }
  if (type == STRING) return scan_text(lexer, valid, STRING, any);

  // what is behind it: a value that is not the last one may only have its own newline there
  lexer->mark_end(lexer);
  unsigned newlines = 0, fence = 0;
  bool alone = true;
  while (is_space(lexer) || (is(lexer, '`') && fence < 3)) {
    if (is(lexer, '`')) fence++;
    else if (fence == 1 || fence == 2) break;
    if (newlines || fence) alone = false;
    if (is(lexer, '\n')) newlines++;
    advance(lexer);
  }
  if (fence == 1 || fence == 2) return emit(lexer, STRING);
  if (lexer->eof(lexer)) return emit(lexer, type);
  if (!is(lexer, '!')) return emit(lexer, STRING);
  Found found = take_marker(lexer, false);
  if (found == MANY_BANGS || found == NOTHING) return emit(lexer, STRING);
  return emit(lexer, found == ARGUMENT && !alone ? STRING : type);
}

// What is between a number or a boolean and the next marker.
static bool scan_value_end(TSLexer *lexer, const bool *valid) {
  bool any = false;
  while (is_space(lexer) || is(lexer, '`')) advance(lexer), any = true;
  if (!any) return scan_text(lexer, valid, TEXT, false);
  lexer->mark_end(lexer);
  return emit(lexer, VALUE_END);
}

static bool scan_blanks(TSLexer *lexer) {
  while (is_space(lexer) && !is(lexer, '\n')) advance(lexer);
  lexer->mark_end(lexer);
  return emit(lexer, BLANK);
}

static bool scan_sign(TSLexer *lexer, enum TokenType type) {
  advance(lexer);
  lexer->mark_end(lexer);
  return emit(lexer, type);
}

// The name keeps the blanks in front of a colon, as in the runtime; ids and dependencies are trimmed.
static bool scan_header(TSLexer *lexer, const bool *valid) {
  if (lexer->eof(lexer)) return false;
  if (is(lexer, '\n')) return scan_sign(lexer, HEADER_END);
  if (is_space(lexer)) return scan_blanks(lexer);
  if (is(lexer, ':')) return scan_sign(lexer, COLON);
  if (is(lexer, ',') && valid[COMMA]) return scan_sign(lexer, COMMA);
  enum TokenType type = valid[COMMA] ? DEPENDENCY : valid[NAME] ? NAME : INVOCATION_ID;
  while (!lexer->eof(lexer) && !is(lexer, '\n') && !is(lexer, ':') && !(type == DEPENDENCY && is(lexer, ','))) {
    bool space = is_space(lexer);
    advance(lexer);
    if (!space || (type == NAME && is(lexer, ':'))) lexer->mark_end(lexer);
  }
  return emit(lexer, type);
}

static bool scan_pointer(TSLexer *lexer, const bool *valid) {
  if (is(lexer, '\n')) return scan_sign(lexer, POINTER_END);
  if (is(lexer, '/')) return scan_sign(lexer, SLASH);
  if (is_space(lexer)) return scan_blanks(lexer);
  bool any = false, digits = true, behind = false;
  while (!lexer->eof(lexer) && !is(lexer, '\n') && !is(lexer, '/')) {
    if (is(lexer, '!')) {
      // the token ends behind its last character that is no blank
      Found found = take_marker(lexer, !any);
      if (found == MANY_BANGS) return emit(lexer, any && digits ? INDEX : KEY);
      if (found != NOTHING) return any ? emit(lexer, digits ? INDEX : KEY) : emit_marker(lexer, valid, found);
      lexer->mark_end(lexer);
      any = true;
      digits = behind = false;
      continue;
    }
    if (is_space(lexer)) {
      behind = true;
      advance(lexer);
      continue;
    }
    digits = digits && !behind && is_digit(lexer);
    advance(lexer);
    lexer->mark_end(lexer);
    any = true;
  }
  return any && emit(lexer, digits ? INDEX : KEY);
}

bool tree_sitter_gadget_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  if (valid[HEADER_END]) return scan_header(lexer, valid);
  if (valid[POINTER_END]) return scan_pointer(lexer, valid);
  if (valid[NUMBER]) return scan_value(lexer, valid);
  if (valid[VALUE_END] && !valid[STRING]) return scan_value_end(lexer, valid);
  return scan_text(lexer, valid, valid[STRING] ? STRING : valid[IGNORED] ? IGNORED : TEXT, false);
}
