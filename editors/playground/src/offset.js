// The offset of a place of the protocol, also of one after the end.
export function offset(doc, { line, character }) {
  if (line >= doc.lines) return doc.length;
  const { from, length } = doc.line(line + 1);
  return from + Math.min(character, length);
}
