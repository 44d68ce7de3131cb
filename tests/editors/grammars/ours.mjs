// The languages that shiki needs: those of values in the tests, and ours.
import fs from "node:fs";

const load = (name, language) => ({
  ...JSON.parse(fs.readFileSync(new URL(`../../../syntaxes/${name}.tmLanguage.json`, import.meta.url), "utf8")),
  name: language ?? name,
});

export const LANGUAGES = [
  "typescript", "python", "json", "markdown",
  load("json5", "json5-llmblocks"), load("custom-blocks"), load("gadget"), load("stf"), load("completion"),
  { ...load("markdown", "markdown-llmblocks"), injectTo: ["text.html.markdown"] },
];
