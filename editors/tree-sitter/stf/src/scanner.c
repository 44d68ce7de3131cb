#include "tree_sitter/parser.h"

#include <stdlib.h>
#include <string.h>

// The order of `externals` in grammar.js.
enum TokenType {
  TEXT,
  ESCAPE,
  BODY,
  MESSAGE_SIGN,
  RAW_SIGN,
  BLOCK_SIGN,
  LINE_SIGN,
  FLUSH_SIGN,
  END_SIGN,
  STRAY_END_SIGN,
  UNKNOWN_SIGN,
  MALFORMED_SIGN,
  COMMENT_SIGN,
  OPENING_SIGN,
  STRAY_CLOSING_SIGN,
  BLANK,
  COMMAND_NAME,
  GAP,
  JSON5,
  KEY,
  INVALID_KEY,
  INVALID,
  EQUALS,
  QUOTED_STRING,
  UNQUOTED_STRING,
  MALFORMED,
  LINE_END,
  LINE_COMMENT,
  COMMENT_OPENING,
  COMMENT_CLOSING,
  COMMENT_TEXT,
  STRAY_CLOSING,
};

// The place in a line.
enum Place { LINE_START, IN_TEXT, BEHIND_SIGN, BEHIND_NAME, ARGUMENTS, BEHIND_KEY, BEHIND_EQUALS, REST, IN_COMMENT };

// What data lines are.
enum Context { IN_MESSAGE, IN_BLOCK, IN_LINE };

typedef struct {
  uint32_t depth;   // open block comments
  int8_t dialect;   // '@' or ';', 0 until a line decides
  uint8_t place;    // enum Place
  uint8_t context;  // enum Context
  uint8_t sign;     // the sign that the line began with
} Scanner;

void *tree_sitter_stf_external_scanner_create(void) { return calloc(1, sizeof(Scanner)); }

void tree_sitter_stf_external_scanner_destroy(void *payload) { free(payload); }

unsigned tree_sitter_stf_external_scanner_serialize(void *payload, char *buffer) {
  memcpy(buffer, payload, sizeof(Scanner));
  return sizeof(Scanner);
}

void tree_sitter_stf_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  memset(payload, 0, sizeof(Scanner));
  if (length == sizeof(Scanner)) memcpy(payload, buffer, length);
}

static void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static bool is(TSLexer *lexer, int32_t character) {
  return lexer->lookahead == character && !lexer->eof(lexer);
}

static bool is_blank(TSLexer *lexer) { return is(lexer, ' ') || is(lexer, '\t'); }

static bool is_letter(TSLexer *lexer) {
  int32_t c = lexer->lookahead;
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(TSLexer *lexer) { return lexer->lookahead >= '0' && lexer->lookahead <= '9'; }

static bool emit(TSLexer *lexer, enum TokenType type) {
  lexer->result_symbol = type;
  return true;
}

static int32_t header(const Scanner *scanner) { return scanner->dialect ? scanner->dialect : '@'; }

// Commands

// No command is longer than this; a name that is has no meaning.
enum { LONGEST_NAME = 16, MOST_BLANKS = 64 };

static bool is_one_of(const char *name, const char *const *names) {
  for (; *names; names++) {
    if (!strcmp(name, *names)) return true;
  }
  return false;
}

static const char *const MESSAGES[] = {"message", "msg",       "user", "assistant", "ai",   "system",
                                       "sys",     "developer", "dev",  "tool",      NULL};
static const char *const AT_LINES[] = {"call", "embed", NULL};
static const char *const SEMICOLON_BLOCKS[] = {"meta", "extra", NULL};

// The sign of a command by its name in a dialect; that of an unknown one for any other name.
static enum TokenType sign_of(const char *name, int32_t dialect) {
  if (is_one_of(name, MESSAGES)) return MESSAGE_SIGN;
  if (!strcmp(name, "raw")) return RAW_SIGN;
  if (!strcmp(name, "end")) return END_SIGN;
  if (dialect == '@') return is_one_of(name, AT_LINES) ? LINE_SIGN : UNKNOWN_SIGN;
  if (!strcmp(name, "flush")) return FLUSH_SIGN;
  return is_one_of(name, SEMICOLON_BLOCKS) ? BLOCK_SIGN : UNKNOWN_SIGN;
}

// Enters the context behind a command, and gives the sign that it has at its place.
static enum TokenType enter(Scanner *scanner, enum TokenType sign) {
  bool in_block = scanner->context == IN_BLOCK;
  if (sign == END_SIGN) {
    scanner->context = IN_MESSAGE;
    return in_block ? END_SIGN : STRAY_END_SIGN;
  }
  if (sign == MESSAGE_SIGN) {
    scanner->context = IN_MESSAGE;
  } else if (sign == RAW_SIGN) {
    scanner->context = IN_BLOCK;
  } else if (in_block) {
    return UNKNOWN_SIGN;
  } else {
    scanner->context = sign == BLOCK_SIGN ? IN_BLOCK : sign == LINE_SIGN ? IN_LINE : IN_MESSAGE;
  }
  return sign;
}

// Reads what is behind a header character, as far as it tells what the line is.
static enum TokenType take_sign(TSLexer *lexer, int32_t dialect, char *name, bool *decides) {
  unsigned blanks = 0, length = 0;
  for (; is_blank(lexer); advance(lexer)) blanks += blanks <= MOST_BLANKS;
  *decides = blanks <= MOST_BLANKS;
  name[0] = 0;
  if (is(lexer, '#')) return COMMENT_SIGN;
  if (is(lexer, '/')) {
    advance(lexer);
    if (is(lexer, '/')) return COMMENT_SIGN;
    if (is(lexer, '*')) return OPENING_SIGN;
  } else if (is(lexer, '*')) {
    advance(lexer);
    if (is(lexer, '/')) return STRAY_CLOSING_SIGN;
  } else if (is_letter(lexer) && !lexer->eof(lexer)) {
    while ((is_letter(lexer) || is_digit(lexer)) && !lexer->eof(lexer) && length <= LONGEST_NAME) {
      name[length++] = (char)lexer->lookahead;
      advance(lexer);
    }
    name[length] = 0;
    enum TokenType sign = sign_of(name, dialect);
    *decides = *decides && sign != UNKNOWN_SIGN;
    return sign;
  }
  *decides = false;
  return MALFORMED_SIGN;
}

// The sign of a line. The token is the header character, which has been read.
static bool scan_sign(Scanner *scanner, TSLexer *lexer, enum TokenType sign, char *name, bool decides) {
  if (decides && !scanner->dialect) scanner->dialect = (int8_t)header(scanner);
  if (sign == UNKNOWN_SIGN) {
    // a name in the wrong case has no meaning, but what follows is read as it was meant
    for (char *at = name; *at; at++) {
      if (*at >= 'A' && *at <= 'Z') *at = (char)(*at + 'a' - 'A');
    }
    enum TokenType meant = sign_of(name, header(scanner));
    if (meant == UNKNOWN_SIGN || (scanner->context == IN_BLOCK && meant != END_SIGN)) {
      if (scanner->context == IN_LINE) scanner->context = IN_MESSAGE;
    } else {
      enter(scanner, meant);
    }
  } else if (sign != MALFORMED_SIGN && sign != COMMENT_SIGN && sign != OPENING_SIGN && sign != STRAY_CLOSING_SIGN) {
    sign = enter(scanner, sign);
  }
  scanner->place = BEHIND_SIGN;
  scanner->sign = (uint8_t)sign;
  return emit(lexer, sign);
}

// Lines

// Whether the line ends here. Where "\r\n" ends lines, a "\r" that does not has been read (`taken`); the token ends in
// front of it until it goes on.
static bool ends(const Scanner *scanner, TSLexer *lexer, bool *taken) {
  *taken = false;
  if (lexer->eof(lexer) || is(lexer, '\n')) return true;
  if (!is(lexer, '\r') || scanner->dialect == ';') return false;
  lexer->mark_end(lexer);
  advance(lexer);
  *taken = true;
  return is(lexer, '\n');
}

static bool scan_line_end(Scanner *scanner, TSLexer *lexer) {
  if (lexer->eof(lexer)) return false;
  advance(lexer);
  lexer->mark_end(lexer);
  scanner->place = LINE_START;
  return emit(lexer, LINE_END);
}

// The rest of a line, or its end where nothing is left.
static bool scan_rest(Scanner *scanner, TSLexer *lexer, enum TokenType type, bool any) {
  bool taken;
  while (!ends(scanner, lexer, &taken)) {
    if (!taken) advance(lexer);
    any = true;
  }
  if (!any) return scan_line_end(scanner, lexer);
  if (!taken) lexer->mark_end(lexer);
  scanner->place = REST;
  return emit(lexer, type);
}

static bool scan_blanks(TSLexer *lexer, enum TokenType type) {
  while (is_blank(lexer)) advance(lexer);
  lexer->mark_end(lexer);
  return emit(lexer, type);
}

// Data lines, up to the next line with a sign. At their start the first of them may have one, too.
static bool scan_lines(Scanner *scanner, TSLexer *lexer) {
  bool any = false, start = scanner->place == LINE_START;
  enum TokenType type = scanner->context == IN_MESSAGE ? TEXT : BODY;
  scanner->place = LINE_START;
  while (!lexer->eof(lexer)) {
    if (start && (is(lexer, header(scanner)) || (!scanner->dialect && is(lexer, ';')))) {
      int32_t character = lexer->lookahead;
      if (any) lexer->mark_end(lexer);
      advance(lexer);
      if (!any) lexer->mark_end(lexer);
      char name[LONGEST_NAME + 2];
      bool decides;
      if (is(lexer, character) && character == header(scanner)) {
        if (scanner->context != IN_BLOCK) {
          if (any) return emit(lexer, type);
          scanner->place = IN_TEXT;
          return emit(lexer, ESCAPE);
        }
      } else {
        enum TokenType sign = take_sign(lexer, character, name, &decides);
        if (character == header(scanner) || decides) {
          if (any) return emit(lexer, type);
          if (decides) scanner->dialect = (int8_t)character;
          return scan_sign(scanner, lexer, sign, name, decides);
        }
      }
      any = true;
    }
    start = false;
    while (!lexer->eof(lexer) && !is(lexer, '\n')) advance(lexer), any = true;
    if (lexer->eof(lexer)) break;
    advance(lexer);
    any = start = true;
    if (scanner->context == IN_LINE) break;
  }
  lexer->mark_end(lexer);
  if (scanner->context == IN_LINE && any) scanner->context = IN_MESSAGE;
  return any && emit(lexer, type);
}

// Comments

static bool scan_mark(Scanner *scanner, TSLexer *lexer, enum TokenType type) {
  advance(lexer);
  advance(lexer);
  lexer->mark_end(lexer);
  if (type == COMMENT_OPENING) scanner->depth++;
  if (type == COMMENT_CLOSING) scanner->depth--;
  scanner->place = scanner->depth ? IN_COMMENT : REST;
  return emit(lexer, type);
}

// The text of a block comment, up to a line that opens or closes one. It begins behind the mark of such a line.
static bool scan_comment(Scanner *scanner, TSLexer *lexer) {
  bool any = false, start = false;
  while (!lexer->eof(lexer)) {
    if (start && is(lexer, header(scanner))) {
      advance(lexer);
      start = false;
      if (!is(lexer, header(scanner))) {
        while (is_blank(lexer)) advance(lexer);
        lexer->mark_end(lexer);
        int32_t first = lexer->lookahead;
        if (is(lexer, '/') || is(lexer, '*')) {
          advance(lexer);
          if (is(lexer, first == '/' ? '*' : '/')) {
            scanner->place = BEHIND_SIGN;
            scanner->sign = first == '/' ? OPENING_SIGN : STRAY_CLOSING_SIGN;
            return emit(lexer, COMMENT_TEXT);
          }
        }
      }
      continue;
    }
    start = is(lexer, '\n');
    advance(lexer);
    any = true;
  }
  lexer->mark_end(lexer);
  return any && emit(lexer, COMMENT_TEXT);
}

// Arguments. `taken` says that the token begins with a "\r" that has been read.

// The blanks at the end of the line, and its "\r", are no part of the object.
static bool scan_json5(Scanner *scanner, TSLexer *lexer) {
  while (!lexer->eof(lexer) && !is(lexer, '\n')) {
    bool blank = is_blank(lexer), end = is(lexer, '\r') && scanner->dialect != ';';
    advance(lexer);
    if (!blank && !(end && is(lexer, '\n'))) lexer->mark_end(lexer);
  }
  scanner->place = ARGUMENTS;
  return emit(lexer, JSON5);
}

// A key, or what stands in the place of one. Only a key that an equals sign follows is one.
static bool scan_key(Scanner *scanner, TSLexer *lexer, bool taken) {
  bool valid = !taken;
  unsigned length = taken;
  if (taken) lexer->mark_end(lexer);
  while (!ends(scanner, lexer, &taken) && (taken || !(is_blank(lexer) || is(lexer, '=')))) {
    bool lower = is_letter(lexer) && lexer->lookahead >= 'a';
    bool letter = lower || (scanner->dialect == ';' && is_letter(lexer));
    valid = valid && !taken && (letter || (length && (lower || is_digit(lexer) || is(lexer, '_'))));
    if (!taken) advance(lexer);
    lexer->mark_end(lexer);
    length = 1 + (length > 0);
  }
  if (!taken) {
    while (is_blank(lexer)) advance(lexer);
    if (is(lexer, '=') && length) {
      scanner->place = BEHIND_KEY;
      return emit(lexer, valid && (length > 1 || scanner->dialect == ';') ? KEY : INVALID_KEY);
    }
    if (is(lexer, '=')) {
      advance(lexer);
      lexer->mark_end(lexer);
      scanner->place = BEHIND_EQUALS;
      return emit(lexer, EQUALS);
    }
  }
  scanner->place = ARGUMENTS;
  return emit(lexer, INVALID);
}

static bool scan_value(Scanner *scanner, TSLexer *lexer, bool taken) {
  int32_t quote = !taken && (is(lexer, '"') || is(lexer, '\'')) ? lexer->lookahead : 0;
  bool escaped = false;
  scanner->place = ARGUMENTS;
  if (quote) advance(lexer);
  if (taken) lexer->mark_end(lexer);
  while (!ends(scanner, lexer, &taken) && (taken || quote || !is_blank(lexer))) {
    bool closes = quote && !taken && !escaped && is(lexer, quote);
    escaped = !taken && !escaped && is(lexer, '\\');
    if (!taken) advance(lexer);
    lexer->mark_end(lexer);
    if (closes) return emit(lexer, QUOTED_STRING);
  }
  if (quote && !taken) lexer->mark_end(lexer);
  return emit(lexer, quote ? INVALID : UNQUOTED_STRING);
}

static bool scan_arguments(Scanner *scanner, TSLexer *lexer) {
  bool taken;
  if (is_blank(lexer)) {
    scan_blanks(lexer, GAP);
    if (scanner->place == BEHIND_KEY) return emit(lexer, BLANK);
    if (scanner->place != BEHIND_EQUALS) return true;
    if (!ends(scanner, lexer, &taken)) return emit(lexer, BLANK);
    scanner->place = ARGUMENTS;
    return true;
  }
  if (ends(scanner, lexer, &taken)) return scan_line_end(scanner, lexer);
  if (scanner->place == BEHIND_KEY) {
    advance(lexer);
    lexer->mark_end(lexer);
    scanner->place = BEHIND_EQUALS;
    return emit(lexer, EQUALS);
  }
  if (scanner->place == BEHIND_EQUALS) return scan_value(scanner, lexer, taken);
  if (scanner->place == BEHIND_NAME && is(lexer, '{') && !taken) return scan_json5(scanner, lexer);
  return scan_key(scanner, lexer, taken);
}

static bool scan_behind_sign(Scanner *scanner, TSLexer *lexer) {
  if (is_blank(lexer)) return scan_blanks(lexer, BLANK);
  switch (scanner->sign) {
    case COMMENT_SIGN: return scan_rest(scanner, lexer, LINE_COMMENT, false);
    case OPENING_SIGN: return scan_mark(scanner, lexer, COMMENT_OPENING);
    case STRAY_CLOSING_SIGN: return scan_mark(scanner, lexer, scanner->depth ? COMMENT_CLOSING : STRAY_CLOSING);
    case MALFORMED_SIGN: return scan_rest(scanner, lexer, MALFORMED, false);
  }
  while ((is_letter(lexer) || is_digit(lexer)) && !lexer->eof(lexer)) advance(lexer);
  lexer->mark_end(lexer);
  scanner->place = BEHIND_NAME;
  return emit(lexer, COMMAND_NAME);
}

bool tree_sitter_stf_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  Scanner *scanner = payload;
  (void)valid;
  switch (scanner->place) {
    case LINE_START:
    case IN_TEXT: return scan_lines(scanner, lexer);
    case BEHIND_SIGN: return scan_behind_sign(scanner, lexer);
    case IN_COMMENT: return scan_comment(scanner, lexer);
    case REST: return scan_rest(scanner, lexer, COMMENT_TEXT, false);
    default: return scan_arguments(scanner, lexer);
  }
}
