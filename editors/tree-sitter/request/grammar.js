/**
 * @file The requests of an agent, as llmist logs them
 * @author llmblocks maintainers
 * @license MIT
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

// All tokens come from src/scanner.c: a text ends where the header of a message begins, and no regular expression can say
// that.
export default grammar({
  name: "request",

  // white space is part of messages
  extras: (_) => [],

  externals: ($) => [
    $.sign,
    $.role,
    $._end_sign,
    $._line_end,
    $.response,
    $._prompt,
    $.marker,
    $.example_header,
    $.example_pointer,
    "Result (",
    $.invocation_id,
    "): ",
    $.output,
    $.media,
  ],

  rules: {
    document: ($) => seq(optional($.prompt), repeat($.message)),

    message: ($) => seq($.header, optional(choice($.response, $.prompt, $.result))),

    header: ($) => seq($.sign, $.role, alias($._end_sign, $.sign), optional(alias($._line_end, "\n"))),

    // what is not the assistant's: markers in it are instructions
    prompt: ($) =>
      prec.right(repeat1(choice($._prompt, $.marker, $.example_header, $.example_pointer))),

    result: ($) =>
      prec.right(
        seq(
          "Result (",
          $.invocation_id,
          "): ",
          repeat(choice($.output, $.media)),
        ),
      ),
  },
});
