// Highlight with shiki and print the colours of some tokens as JSON: the grammars work outside VS Code too.
import { createHighlighter } from "shiki";
import { LANGUAGES } from "./ours.mjs";

const THEME = "github-dark";
// those of VS Code, and of the docs
const CALM = ["light-plus", "dark-plus", "github-light", THEME];
const highlighter = await createHighlighter({ themes: CALM, langs: LANGUAGES });

function colour(lang, text, part, theme = THEME) {
  for (const token of highlighter.codeToTokens(text, { lang, theme }).tokens.flat()) {
    if (token.content.includes(part)) return token.color;
  }
  throw new Error(`${part} is not a token of ${lang}`);
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
    calm: CALM.map((each) => ({
      theme: each,
      key: colour("stf", "@call\n{limit: 1}\n", "limit", each),
      quoted: colour("stf", '@call\n{"limit": 1}\n', "limit", each),
      "key of JSON": colour("json", '{"limit": 1}\n', "limit", each),
      sign: colour("stf", "@user\n@# a comment\n", "@#", each),
      "comment of TypeScript": colour("typescript", "const a = 1; // c", "// c", each),
    })),
  }),
);
