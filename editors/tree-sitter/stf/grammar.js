/**
 * @file Simple Text Format, chats with language models as text
 * @author llmblocks maintainers
 * @license MIT
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

/**
 * A line of a command; its sign distinguishes the kinds of commands.
 * @param {GrammarSymbols<string>} $
 * @param {RuleOrLiteral} sign
 */
const line = ($, sign) =>
  seq(alias(sign, $.sign), optional($._blank), $.command_name, optional($.arguments), optional(alias($._line_end, "\n")));

// All tokens come from src/scanner.c: what a line is depends on the dialect, which the first command decides, on the
// command before it, and on open comments.
export default grammar({
  name: "stf",

  // white space is part of messages
  extras: (_) => [],

  externals: ($) => [
    $._text,
    $.escape,
    $.body,
    $._message_sign,
    $._raw_sign,
    $._block_sign,
    $._line_sign,
    $._flush_sign,
    $._end_sign,
    $._stray_end_sign,
    $._unknown_sign,
    $._malformed_sign,
    $._comment_sign,
    $._opening_sign,
    $._stray_closing_sign,
    $._blank,
    $.command_name,
    $._gap,
    $.json5,
    $.key,
    $._invalid_key,
    $._invalid,
    "=",
    $.quoted_string,
    $.unquoted_string,
    $._malformed,
    $._line_end,
    $._line_comment,
    "/*",
    "*/",
    $.comment_text,
    $._stray_closing,
  ],

  rules: {
    document: ($) =>
      seq(optional($.content), repeat(choice($.message, seq(choice($.raw_message, $.flush_command), optional($.content))))),

    message: ($) => seq($.message_command, optional($.content)),

    raw_message: ($) => prec.right(seq($.raw_command, repeat($._in_block), optional($.end_command))),

    // A message is the text of this node without its children. So an editor parses that text in one go, with another
    // grammar, and a comment does not end a call.
    content: ($) =>
      prec.right(
        repeat1(
          choice($._text, $.escape, $.block, $.line, $._in_block, $.end_command, $.stray_end_command),
        ),
      ),

    block: ($) => prec.right(seq($.block_command, repeat($._in_block), optional($.end_command))),
    line: ($) => prec.right(seq($.line_command, repeat($._between), optional(seq(optional($.escape), $.body)))),

    _in_block: ($) => choice($.body, $.unknown_command, $._between),
    _between: ($) => choice($.comment, $.block_comment, $.stray_comment_end, $.malformed_line),

    message_command: ($) => line($, $._message_sign),
    raw_command: ($) => line($, $._raw_sign),
    block_command: ($) => line($, $._block_sign),
    line_command: ($) => line($, $._line_sign),
    flush_command: ($) => line($, $._flush_sign),
    end_command: ($) => line($, $._end_sign),
    unknown_command: ($) => line($, $._unknown_sign),
    stray_end_command: ($) => line($, $._stray_end_sign),

    malformed_line: ($) =>
      seq(
        alias($._malformed_sign, $.sign),
        optional($._blank),
        optional(alias($._malformed, $.invalid)),
        optional(alias($._line_end, "\n")),
      ),

    arguments: ($) =>
      repeat1(choice($._gap, $.json5, $.argument, alias($._invalid, $.invalid))),
    argument: ($) =>
      prec.right(
        seq(
          optional(seq(choice(field("key", $.key), alias($._invalid_key, $.invalid)), optional($._blank))),
          "=",
          optional($._blank),
          optional(field("value", choice($.quoted_string, $.unquoted_string, alias($._invalid, $.invalid)))),
        ),
      ),

    comment: ($) =>
      seq(
        alias($._comment_sign, $.sign),
        optional($._blank),
        alias($._line_comment, $.comment_text),
        optional(alias($._line_end, "\n")),
      ),

    // those inside of it are not reported apart
    block_comment: ($) =>
      prec.right(
        seq(
          alias($._opening_sign, $.sign),
          optional($._blank),
          repeat1(choice("/*", "*/", $.comment_text)),
          optional(alias($._line_end, "\n")),
        ),
      ),

    stray_comment_end: ($) =>
      seq(
        alias($._stray_closing_sign, $.sign),
        optional($._blank),
        alias($._stray_closing, $.invalid),
        optional($.comment_text),
        optional(alias($._line_end, "\n")),
      ),
  },
});
