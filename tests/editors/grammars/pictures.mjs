// Draw texts as SVG with shiki and our grammars. stdin: {"pictures": [{"name", "lang", "theme", "title", "text"}]}
// stdout: {name: svg}
import fs from "node:fs";
import { createHighlighter } from "shiki";
import { LANGUAGES } from "./ours.mjs";

const SIZE = 14;
const LINE = 20;
const LETTER = 8.43;
const MARGIN = 16;

const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

function drawn({ tokens, bg, fg }, title) {
  const width = Math.ceil(MARGIN * 2 + LETTER * Math.max(...tokens.map((line) => line.map((token) => token.content).join("").length)));
  const height = MARGIN * 2 + LINE * tokens.length;
  const lines = tokens.map((line, number) => {
    const spans = line.map(({ content, color, fontStyle }) => {
      const style = fontStyle & 1 ? ' font-style="italic"' : "";
      return `<tspan fill="${(color ?? fg).toLowerCase()}"${style}>${escaped(content)}</tspan>`;
    });
    return `<text x="${MARGIN}" y="${MARGIN + LINE * number + 14}" xml:space="preserve">${spans.join("")}</text>\n`;
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="${SIZE}">\n<title>${escaped(title)}</title>\n` +
    `<rect width="100%" height="100%" rx="6" fill="${bg.toLowerCase()}"/>\n${lines.join("")}</svg>\n`
  );
}

const { pictures } = JSON.parse(fs.readFileSync(0, "utf8"));
const highlighter = await createHighlighter({ themes: [...new Set(pictures.map((picture) => picture.theme))], langs: LANGUAGES });
// with a limit, a slow machine leaves the end of a line without colours
const tokenizeTimeLimit = 0;
const svgs = pictures.map(({ name, lang, text, theme, title }) => [
  name,
  drawn(highlighter.codeToTokens(text, { lang, theme, tokenizeTimeLimit }), title),
]);
process.stdout.write(JSON.stringify(Object.fromEntries(svgs)));
