// Highlight with shiki and print the colours of some tokens as JSON: the grammars work outside VS Code too.
import { createHighlighter } from "shiki";
import { LANGUAGES } from "./ours.mjs";

const theme = "github-dark";
const highlighter = await createHighlighter({ themes: [theme], langs: LANGUAGES });

function colour(lang, text, part) {
  for (const token of highlighter.codeToTokens(text, { lang, theme }).tokens.flat()) {
    if (token.content.includes(part)) return token.color;
  }
  throw new Error(`${part} is no token of ${lang}`);
}

const call = "text\n!!!GADGET_START:Write:one\n!!!ARG:filePath\na.ts\n!!!ARG:content\nconst a = 1;\n!!!GADGET_END\n";
console.log(
  JSON.stringify({
    plain: colour("gadget", call, "text"),
    marker: colour("gadget", call, "GADGET_START"),
    value: colour("gadget", call, "a.ts"),
    code: colour("gadget", call, "const"),
    "typescript keyword": colour("typescript", "const a = 1; // c", "const"),
    "typescript comment": colour("typescript", "const a = 1; // c", "// c"),
    tag: colour("custom-blocks", "<think>x</think>", "think"),
    comment: colour("stf", "@user\n@# a comment\n", "# a comment"),
  }),
);
