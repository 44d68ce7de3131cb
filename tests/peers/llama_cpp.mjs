// Grammars of llama.cpp, read by its own code: lines of JSON {"grammar", "texts"} in, {"accepted"} or {"error"} out.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const llama = createRequire(import.meta.url)(
  "./node_modules/@node-llama-cpp/linux-x64/bins/linux-x64/llama-addon.node",
);

for await (const line of createInterface({ input: process.stdin })) {
  const { grammar, texts } = JSON.parse(line);
  try {
    const read = new llama.AddonGrammar(grammar, { addonExports: llama, rootRuleName: "root" });
    console.log(JSON.stringify({ accepted: texts.map((text) => read.isTextCompatible(text)) }));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error) }));
  }
}
