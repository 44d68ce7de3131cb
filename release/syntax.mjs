// The mistakes in a Ruby file or a Dockerfile, from their own parsers. Usage: node syntax.mjs FILE
import { readFile } from "node:fs/promises";
import { loadPrism } from "@ruby/prism";
import dockerfile from "dockerfile-utils";

const text = await readFile(process.argv[2], "utf8");
const mistakes = process.argv[2].endsWith(".rb") ? (await loadPrism())(text).errors : dockerfile.validate(text);
for (const each of mistakes) console.log(each.message);
process.exitCode = mistakes.length ? 1 : 0;
