// Write the grammars of the languages that VS Code ships with, as files, for tools that read files.
// argv: the folder to write to. stdout: their paths.
import fs from "node:fs";
import path from "node:path";
import { foreign } from "./tokenize.mjs";

const folder = process.argv[2];
fs.mkdirSync(folder, { recursive: true });
for (const grammar of await foreign()) {
  const file = path.join(folder, `${grammar.scopeName}.tmLanguage.json`);
  fs.writeFileSync(file, JSON.stringify(grammar));
  console.log(file);
}
