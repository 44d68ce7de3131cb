// Bundle the page. Usage: node bundle.mjs FOLDER LANGUAGES EXAMPLES: both as JSON.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const [folder, languages, examples] = process.argv.slice(2);
const home = path.dirname(fileURLToPath(import.meta.url));
for (const name of ["index.html", "style.css", "icon.svg"]) {
  fs.copyFileSync(path.join(home, name), path.join(folder, name));
}
await esbuild.build({
  entryPoints: [path.join(home, "src", "main.js")],
  outfile: path.join(folder, "main.js"),
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  define: { LANGUAGES: fs.readFileSync(languages, "utf8"), EXAMPLES: fs.readFileSync(examples, "utf8") },
  logLevel: "warning",
});
