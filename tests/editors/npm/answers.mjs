// The results of the package for each case: a line of JSON for each line of standard input. Usage: node answers.mjs PACKAGE
import readline from "node:readline";
import { pathToFileURL } from "node:url";

const library = await import(pathToFileURL(process.argv[2]));

function answer({ ask, given }) {
  if (typeof library[ask] !== "function") throw new Error(`the package has no ${ask}`);
  try {
    if (!/^[A-Z]/.test(ask)) return library[ask](...given);
    const { options = [], chunks } = given;
    const stream = new library[ask](...options);
    return [...chunks.map((chunk) => stream.feed(chunk)), stream.close()];
  } catch ({ name, message, line, kind }) {
    return { thrown: { name, message, line, kind } };
  }
}

// Infinity and NaN have no JSON
const spelt = (_, value) => (typeof value === "number" && !Number.isFinite(value) ? `${value}` : value);
// what is outside of ASCII is escaped, so that half a character passes
const ascii = (text) => text.replace(/[^ -~]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
const tell = (value) => process.stdout.write(`${ascii(JSON.stringify(value, spelt))}\n`);
tell(library.version);
for await (const line of readline.createInterface({ input: process.stdin })) tell(answer(JSON.parse(line)));
