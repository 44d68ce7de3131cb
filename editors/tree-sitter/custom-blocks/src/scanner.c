#include "tree_sitter/parser.h"

#include <stdlib.h>
#include <string.h>

// The order of `externals` in grammar.js.
enum TokenType {
  TEXT,
  OPENING,
  TAG_NAME,
  GAP,
  BLANK,
  ATTRIBUTE_NAME,
  EQUALS,
  QUOTE,
  BARE_VALUE,
  QUOTED_VALUE,
  CLOSING_QUOTE,
  TAG_END,
  SELF_CLOSING_END,
  CONTENT,
  CLOSING,
};

// The tags that are registered where no settings say otherwise.
static const char *const TAGS[] = {"think", "thinking", "reasoning", "answer", "artifact", "tool", "result"};
enum { TAG_COUNT = sizeof TAGS / sizeof *TAGS, LONGEST = 16 };

// `tag` is the number of the open block's; `quote` is the character that opened the value that is read.
typedef struct {
  uint8_t tag;
  char quote;
} Scanner;

void *tree_sitter_custom_blocks_external_scanner_create(void) { return calloc(1, sizeof(Scanner)); }

void tree_sitter_custom_blocks_external_scanner_destroy(void *payload) { free(payload); }

unsigned tree_sitter_custom_blocks_external_scanner_serialize(void *payload, char *buffer) {
  memcpy(buffer, payload, sizeof(Scanner));
  return sizeof(Scanner);
}

void tree_sitter_custom_blocks_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  memset(payload, 0, sizeof(Scanner));
  if (length == sizeof(Scanner)) memcpy(payload, buffer, length);
}

static void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static bool is(TSLexer *lexer, int32_t character) {
  return lexer->lookahead == character && !lexer->eof(lexer);
}

static bool is_space(TSLexer *lexer) {
  return is(lexer, ' ') || is(lexer, '\t') || is(lexer, '\n') || is(lexer, '\r');
}

static bool begins_name(TSLexer *lexer) {
  int32_t c = lexer->lookahead;
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool goes_on(TSLexer *lexer) {
  int32_t c = lexer->lookahead;
  return begins_name(lexer) || (c >= '0' && c <= '9') || c == '-';
}

static bool emit(TSLexer *lexer, enum TokenType type) {
  lexer->result_symbol = type;
  return true;
}

static bool take_one(TSLexer *lexer, enum TokenType type) {
  advance(lexer);
  lexer->mark_end(lexer);
  return emit(lexer, type);
}

// A text of another format in front of the next character cuts whatever is being read.
static bool is_cut(TSLexer *lexer) { return lexer->eof(lexer) || lexer->is_at_included_range_start(lexer); }

static bool may_become(const char *name, unsigned length, const char *tag) {
  return length <= strlen(tag) && !memcmp(name, tag, length);
}

// Reads the name that is next, and says how much of it is there; a long one has no more than LONGEST. A name that is
// cut where it may still become a registered one (`from` to `upto`) is cut for good: `dull` is false, and the text
// behind the cut begins anew.
static unsigned take_name(TSLexer *lexer, char *name, unsigned from, unsigned upto, bool *dull) {
  unsigned length = 0;
  *dull = true;
  while (true) {
    if (is_cut(lexer)) {
      for (unsigned tag = from; tag < upto; tag++) {
        if (may_become(name, length, TAGS[tag])) {
          *dull = false;
          return length;
        }
      }
    }
    if (lexer->eof(lexer) || !(length ? goes_on(lexer) : begins_name(lexer))) return length;
    if (length < LONGEST) name[length++] = (char)lexer->lookahead;
    advance(lexer);
  }
}

// Visible text up to the next registered tag. Any other `<` takes the name behind it and one character more, be it
// another `<`: this is why `<<think>` opens no block.
static bool scan_text(Scanner *scanner, TSLexer *lexer) {
  bool any = false;
  while (!lexer->eof(lexer)) {
    if (!is(lexer, '<')) {
      advance(lexer);
      any = true;
      continue;
    }
    if (any) lexer->mark_end(lexer);
    advance(lexer);
    if (!any) lexer->mark_end(lexer);
    char name[LONGEST];
    bool dull;
    unsigned length = take_name(lexer, name, 0, TAG_COUNT, &dull);
    if (dull && (is_space(lexer) || is(lexer, '>') || is(lexer, '/'))) {
      for (uint8_t tag = 0; tag < TAG_COUNT; tag++) {
        if (length == strlen(TAGS[tag]) && may_become(name, length, TAGS[tag])) {
          if (any) return emit(lexer, TEXT);
          scanner->tag = tag;
          return emit(lexer, OPENING);
        }
      }
    }
    if (dull) advance(lexer);
    any = true;
  }
  lexer->mark_end(lexer);
  return any && emit(lexer, TEXT);
}

// The content of a block up to the tag that closes it. Here a `<` takes the character behind it, a `</` a name too.
static bool scan_content(Scanner *scanner, TSLexer *lexer) {
  bool any = false;
  while (!lexer->eof(lexer)) {
    if (!is(lexer, '<')) {
      advance(lexer);
      any = true;
      continue;
    }
    if (any) lexer->mark_end(lexer);
    advance(lexer);
    bool dull = !is_cut(lexer);
    if (dull && is(lexer, '/')) {
      advance(lexer);
      if (!any) lexer->mark_end(lexer);
      char name[LONGEST];
      unsigned length = take_name(lexer, name, scanner->tag, scanner->tag + 1u, &dull);
      const char *tag = TAGS[scanner->tag];
      if (dull && is(lexer, '>') && length == strlen(tag) && may_become(name, length, tag))
        return emit(lexer, any ? CONTENT : CLOSING);
    }
    if (dull) advance(lexer);
    any = true;
  }
  lexer->mark_end(lexer);
  return any && emit(lexer, CONTENT);
}

// Whether the list of attributes ends here: before `>` or `/>`. A slash that does not end it has been read.
static bool ends(TSLexer *lexer, bool *slash) {
  *slash = false;
  if (lexer->eof(lexer) || is(lexer, '>')) return true;
  if (!is(lexer, '/')) return false;
  lexer->mark_end(lexer);
  advance(lexer);
  *slash = true;
  return !is_cut(lexer) && is(lexer, '>');
}

// What belongs to no attribute.
static bool scan_gap(TSLexer *lexer, bool any) {
  bool slash;
  while (!begins_name(lexer) || lexer->eof(lexer)) {
    if (ends(lexer, &slash)) {
      if (any && !slash) lexer->mark_end(lexer);
      if (any) return emit(lexer, GAP);
      if (lexer->eof(lexer)) return false;
      advance(lexer);
      lexer->mark_end(lexer);
      return emit(lexer, slash ? SELF_CLOSING_END : TAG_END);
    }
    if (!slash) advance(lexer);
    any = true;
  }
  lexer->mark_end(lexer);
  return emit(lexer, GAP);
}

static bool scan_quoted(Scanner *scanner, TSLexer *lexer) {
  if (is(lexer, scanner->quote)) return take_one(lexer, CLOSING_QUOTE);
  bool any = false, slash;
  while (!is(lexer, scanner->quote)) {
    if (ends(lexer, &slash)) {
      if (any && !slash) lexer->mark_end(lexer);
      if (any) return emit(lexer, QUOTED_VALUE);
      if (lexer->eof(lexer)) return false;
      advance(lexer);
      lexer->mark_end(lexer);
      return emit(lexer, slash ? SELF_CLOSING_END : TAG_END);
    }
    if (!slash) advance(lexer);
    any = true;
  }
  lexer->mark_end(lexer);
  return emit(lexer, QUOTED_VALUE);
}

static bool scan_list(Scanner *scanner, TSLexer *lexer, const bool *valid) {
  if (valid[CLOSING_QUOTE]) return scan_quoted(scanner, lexer);
  bool any = false;
  if (valid[EQUALS] || valid[BARE_VALUE]) {
    while (is_space(lexer)) advance(lexer), any = true;
    if (any) lexer->mark_end(lexer);
    if (valid[EQUALS]) {
      if (is(lexer, '=')) return any ? emit(lexer, BLANK) : take_one(lexer, EQUALS);
    } else if (!lexer->eof(lexer) && !is(lexer, '>') && !is(lexer, '/')) {
      if (any) return emit(lexer, BLANK);
      if (is(lexer, '"') || is(lexer, '\'')) {
        scanner->quote = (char)lexer->lookahead;
        return take_one(lexer, QUOTE);
      }
      while (!lexer->eof(lexer) && !is_space(lexer) && !is(lexer, '>') && !is(lexer, '/')) advance(lexer);
      lexer->mark_end(lexer);
      return emit(lexer, BARE_VALUE);
    }
  }
  if (any || !begins_name(lexer) || lexer->eof(lexer)) return scan_gap(lexer, any);
  while (!lexer->eof(lexer) && goes_on(lexer)) advance(lexer);
  lexer->mark_end(lexer);
  return emit(lexer, ATTRIBUTE_NAME);
}

bool tree_sitter_custom_blocks_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  Scanner *scanner = payload;
  if (valid[TAG_NAME]) {
    for (const char *at = TAGS[scanner->tag]; *at; at++) advance(lexer);
    lexer->mark_end(lexer);
    return emit(lexer, TAG_NAME);
  }
  if (valid[GAP] || valid[EQUALS] || valid[BARE_VALUE]) return scan_list(scanner, lexer, valid);
  if (valid[TAG_END]) return take_one(lexer, TAG_END);
  if (valid[CLOSING]) return scan_content(scanner, lexer);
  return scan_text(scanner, lexer);
}
