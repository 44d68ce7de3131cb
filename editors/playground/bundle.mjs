// Bundle the element and the page. Usage: node bundle.mjs FOLDER LANGUAGES EXAMPLES: both as JSON.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const [folder, languages, examples] = process.argv.slice(2);
const home = path.dirname(fileURLToPath(import.meta.url));
await esbuild.build({
  entryPoints: { "llmblocks-playground": path.join(home, "src", "element.js"), page: path.join(home, "src", "page.js") },
  outdir: folder,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  loader: { ".css": "text" },
  define: { LANGUAGES: fs.readFileSync(languages, "utf8"), EXAMPLES: fs.readFileSync(examples, "utf8") },
  logLevel: "warning",
});
