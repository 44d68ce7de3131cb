// SYNTAX TEST "source.js.jsx" "strings of ours"
const shown = <Chat text={/* stf */ `
@ai
// <- meta.embedded.block.stf
`} />;
// ^^ punctuation.definition.tag.end.js.jsx
