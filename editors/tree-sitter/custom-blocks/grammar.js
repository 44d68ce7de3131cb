/**
 * @file Custom blocks in the responses of language models
 * @author llmblocks maintainers
 * @license MIT
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

// All tokens come from src/scanner.c: a text ends where a registered tag begins, and no regular expression can say that.
export default grammar({
  name: "custom_blocks",

  // white space is part of contents
  extras: (_) => [],

  externals: ($) => [
    $.text,
    "<",
    $.tag_name,
    $._gap,
    $._blank,
    $.attribute_name,
    "=",
    $.quote,
    $._bare_value,
    $._quoted_value,
    $._closing_quote,
    ">",
    "/>",
    $.content,
    "</",
  ],

  rules: {
    document: ($) => seq(repeat(choice($.text, $.block)), optional($.unfinished_tag)),

    block: ($) => choice($.self_closing_tag, seq($.start_tag, optional($.content), optional($.end_tag))),

    start_tag: ($) => seq($._list, ">"),
    self_closing_tag: ($) => seq($._list, "/>"),
    // an opening tag whose ">" is not there yet
    unfinished_tag: ($) => $._list,
    end_tag: ($) => seq("</", $.tag_name, ">"),

    _list: ($) => seq("<", $.tag_name, repeat(choice($._gap, $.attribute))),
    attribute: ($) => seq(field("name", $.attribute_name), optional($._value)),
    _value: ($) =>
      seq(
        optional($._blank),
        "=",
        optional($._blank),
        optional(
          choice(
            field("value", alias($._bare_value, $.attribute_value)),
            seq(
              $.quote,
              optional(field("value", alias($._quoted_value, $.attribute_value))),
              optional(alias($._closing_quote, $.quote)),
            ),
          ),
        ),
      ),
  },
});
