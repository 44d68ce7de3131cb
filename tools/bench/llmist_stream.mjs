// Speed of llmist's own parser: node tools/bench/llmist_stream.mjs FILE CHUNK ROUNDS … -> one JSON line of seconds.
// Every call's parameters are read, as in the other half of the benchmark.
import { readFileSync } from "node:fs";

const { GadgetCallParser } = await import(new URL("../../tests/peers/node_modules/llmist/dist/index.js", import.meta.url));

function once(text, size) {
  const start = performance.now();
  const parser = new GadgetCallParser();
  let calls = 0;
  for (let at = 0; at < text.length; at += size) {
    for (const event of parser.feed(text.slice(at, at + size))) {
      if (event.type === "gadget_call" && event.call.parameters) calls += 1;
    }
  }
  for (const event of parser.finalize()) {
    if (event.type === "gadget_call" && event.call.parameters) calls += 1;
  }
  return [(performance.now() - start) / 1000, calls];
}

const results = [];
for (let i = 2; i < process.argv.length; i += 3) {
  const text = readFileSync(process.argv[i], "utf8");
  const size = Number(process.argv[i + 1]) || text.length;
  let best = Infinity;
  let calls = 0;
  for (let round = 0; round < Number(process.argv[i + 2]); round += 1) {
    const [seconds, found] = once(text, size);
    best = Math.min(best, seconds);
    calls = found;
  }
  results.push([best, calls]);
}
console.log(JSON.stringify(results));
