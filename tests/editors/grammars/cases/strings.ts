// SYNTAX TEST "source.ts" "strings of ours"
class Prompts {
  // llmblocks: gadget
//^^^^^^^^^^^^^^^^^^^^ comment.line.marker.llmblocks
  readonly text: string = `!!!GADGET_START:Read:r1
//         ^^^^ source.ts entity.name.label.ts
//                         ^^^^^^^^^^^^^^^^ meta.embedded.block.gadget keyword.control.start.gadget
//                                         ^^^^ entity.name.function.gadget
!!!ARG:path
// <------- keyword.control.argument.gadget
${file}
//^^^^ meta.template.expression.llmblocks variable.other.readwrite.ts
!!!ARG:note
and \` it
!!!GADGET_END`;
// <------------- keyword.control.end.gadget
//            ^ punctuation.terminator.statement.ts
  run() { return `plain ${1}`; }
//                ^^^^^ string.template.ts
}
const one = /* gadget */ "!!!GADGET_START:Read:r1\n!!!ARG:path\na\n!!!GADGET_END", two = "!!!GADGET_END";
//                        ^^^^^^^^^^^^^^^^ keyword.control.start.gadget
//                                               ^^ constant.character.escape.llmblocks
//                                                 ^^^^^^^ keyword.control.argument.gadget
//                                                        ^^^^ entity.other.attribute-name.pointer.gadget
//                                                                 ^^^^^^^^^^^^^ keyword.control.end.gadget
//                                                                                        ^^^^^^^^^^^^^ string.quoted.double.ts - keyword.control.end.gadget
decode(/* stf */ `
@user
// <- meta.embedded.block.stf
Hi
`, 2);
// ^ constant.numeric.decimal.ts
// llmblocks: stf
function none() { return "@user"; }
// <-------- storage.type.function.ts
//                        ^^^^^ string.quoted.double.ts
/* llmblocks: custom-blocks */
const block = "<think a='b'>x</think>", next = 1;
// <----- storage.type.ts
//              ^^^^^ entity.name.tag.custom-blocks
//                                             ^ constant.numeric.decimal.ts
/* a gadget */ const other = "!!!GADGET_END";
//                            ^^^^^^^^^^^^^ string.quoted.double.ts - keyword.control.end.gadget
