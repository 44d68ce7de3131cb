/**
 * @file Gadget calls in the responses of language models
 * @author llmblocks maintainers
 * @license MIT
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

// All tokens come from src/scanner.c: a text ends where a marker begins, and no regular expression can say that.
export default grammar({
  name: "gadget",

  // white space is part of values
  extras: (_) => [],

  externals: ($) => [
    $._text,
    $._ignored,
    $._string,
    $.number,
    $.boolean,
    $._value_end,
    $.start_marker,
    $.argument_marker,
    $.end_marker,
    $.stray_marker,
    $._blank,
    $.name,
    $.invocation_id,
    $.dependency,
    ":",
    ",",
    $._header_end,
    $._key,
    $.index,
    "/",
    $._pointer_end,
  ],

  rules: {
    document: ($) => seq(repeat(choice($.text, $.stray_marker, $.call)), optional($.unfinished_call)),

    text: ($) => prec.right(repeat1($._text)),

    call: ($) =>
      seq(
        $.start_marker,
        optional($.header),
        $._header_end,
        optional($.ignored),
        repeat($.argument),
        optional($.end_marker),
      ),

    // a start marker that no newline follows: text, until one is typed
    unfinished_call: ($) => seq($.start_marker, optional($.header)),

    header: ($) =>
      choice(
        seq($._name_field, optional(seq(":", optional($._id_field), optional($._dependencies)))),
        seq(":", optional($._id_field), optional($._dependencies)),
      ),
    _name_field: ($) => choice($._blank, seq(optional($._blank), field("name", $.name), optional($._blank))),
    _id_field: ($) => choice($._blank, seq(optional($._blank), field("id", $.invocation_id), optional($._blank))),
    _dependencies: ($) => seq(":", repeat(choice($._blank, field("dependency", $.dependency), ",", ":"))),

    // the text between a header and its first argument, which the runtime drops
    ignored: ($) => repeat1($._ignored),

    argument: ($) =>
      seq(
        $.argument_marker,
        optional(field("pointer", $.pointer)),
        optional(
          seq(
            $._pointer_end,
            optional(field("value", choice($.string, $.number, $.boolean))),
            optional($._value_end),
          ),
        ),
      ),
    pointer: ($) => repeat1(choice($._blank, $.key, $.index, "/")),
    key: ($) => prec.right(repeat1($._key)),
    string: ($) => repeat1($._string),
  },
});
