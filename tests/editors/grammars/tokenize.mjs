// Tokenize texts as VS Code does. stdin: {"documents": [{"scope", "text"}]}
// stdout: for each document a list of [line, start, end, [scopes]] in UTF-16 columns.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import textmate from "vscode-textmate";
import oniguruma from "vscode-oniguruma";

const require = createRequire(import.meta.url);
const here = path.dirname(fileURLToPath(import.meta.url));
const syntaxes = path.join(here, "..", "..", "..", "syntaxes");

// the grammars that ship with VS Code, from the collection that shiki has of them
const FOREIGN = ["typescript", "tsx", "javascript", "jsx", "python", "json", "jsonl", "yaml", "markdown"];
const INJECTED = {
  "text.html.markdown": "markdown.llmblocks",
  ...Object.fromEntries(["ts", "tsx", "js", "js.jsx"].map((name) => [`source.${name}`, "script.llmblocks"])),
  "source.python": "python.llmblocks",
  "source.json.lines": "jsonl.llmblocks",
};

export async function foreign() {
  const found = new Map();
  for (const name of FOREIGN) {
    const file = path.join(here, "node_modules", "@shikijs", "langs", "dist", `${name}.mjs`);
    for (const grammar of (await import(pathToFileURL(file))).default) found.set(grammar.scopeName, grammar);
  }
  return [...found.values()];
}

export function compiled() {
  const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  return wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength);
}

export async function registry(loaded = compiled(), createOnigString = (text) => new oniguruma.OnigString(text)) {
  await oniguruma.loadWASM(loaded);
  const known = new Map();
  for (const file of fs.readdirSync(syntaxes).filter((name) => name.endsWith(".tmLanguage.json"))) {
    const grammar = JSON.parse(fs.readFileSync(path.join(syntaxes, file), "utf8"));
    known.set(grammar.scopeName, grammar);
  }
  for (const grammar of await foreign()) if (!known.has(grammar.scopeName)) known.set(grammar.scopeName, grammar);
  return new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString,
    }),
    loadGrammar: async (scope) => known.get(scope) ?? null,
    getInjections: (scope) => (scope in INJECTED ? [INJECTED[scope]] : undefined),
  });
}

export function tokens(grammar, text) {
  const found = [];
  let stack = textmate.INITIAL;
  text.split(/\r\n|\r|\n/).forEach((line, number) => {
    const result = grammar.tokenizeLine(line, stack, 0);
    stack = result.ruleStack;
    for (const token of result.tokens) found.push([number, token.startIndex, Math.min(token.endIndex, line.length), token.scopes]);
  });
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { documents } = JSON.parse(fs.readFileSync(0, "utf8"));
  const all = await registry();
  const answers = [];
  for (const { scope, text } of documents) answers.push(tokens(await all.loadGrammar(scope), text));
  process.stdout.write(JSON.stringify(answers));
}
