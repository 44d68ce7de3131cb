// The recipes for JavaScript with the real packages. Usage: node recipes.mjs FOLDER: where they are, with `llmblocks`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { simulateReadableStream, streamText } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { GadgetCallParser } from "llmist";

const recipe = (name) => import(pathToFileURL(path.join(process.argv[2], name)));
const { events } = await recipe("ai_sdk.mjs");
const { repaired } = await recipe("llmist_check.mjs");
const { customBlocks } = await recipe("agentick.mjs");
const CHUNKS = ["One mo", "ment.\n!!!GADGET_ST", "ART:Weather:w1\n!!!ARG:ci", "ty\nLisbon\n!!!GAD", "GET_END\n"];
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const model = new MockLanguageModelV4({
  doStream: async () => ({
    stream: simulateReadableStream({
      chunks: [
        { type: "stream-start", warnings: [] },
        { type: "text-start", id: "t" },
        ...CHUNKS.map((delta) => ({ type: "text-delta", id: "t", delta })),
        { type: "text-end", id: "t" },
        { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage },
      ],
    }),
  }),
});

const seen = [];
for await (const event of events(streamText({ model, prompt: "How is the weather?" }).textStream)) seen.push(event);
const text = seen.filter(({ event }) => event === "Text").map(({ text }) => text).join("");
assert.equal(text.trim(), "One moment.");
const [{ call }] = seen.filter(({ event }) => event === "CallEnded");
assert.deepEqual([call.name, call.parameters], ["Weather", { city: "Lisbon" }]);

// llmist refuses a call with the words of the finding, and the model is reported
const response = readFileSync(new URL("../../docs/examples/session.gadget", import.meta.url), "utf8");
const { text: better, left, told } = repaired(response);
const parser = new GadgetCallParser();
const parsed = [...parser.feed(better), ...parser.finalize()].filter(({ type }) => type === "gadget_call");
const refused = parsed.map(({ call: { parseError } }) => parseError).filter(Boolean);
assert.ok(refused.length > 0);
for (const words of refused) assert.ok(left.some(({ message }) => message.startsWith(words)), words);
for (const words of refused) assert.ok(told.includes(words), words);
assert.equal(repaired("Hi").told, "");
// a call may wait for one of an earlier response
const waits = "!!!GADGET_START:Read:r2:r1\n!!!GADGET_END\n";
assert.deepEqual(repaired(waits).left.map(({ code }) => code), ["G111"]);
assert.deepEqual(repaired(waits, ["!!!GADGET_START:Read:r1\n!!!GADGET_END\n"]).left, []);

// agentick 0.15: the deltas that its own parser gave (recorded); 1.0.0-next.165: the same, under its names, each text in its place
const recorded = readFileSync(new URL("../vectors/tags.dev.jsonl", import.meta.url), "utf8").trim().split("\n");
for (const { chunks, options, expected } of recorded.map((line) => JSON.parse(line))) {
  // no tag can have these names
  if (options.tags.some((tag) => ["", "a.b", "a:b", "1t"].includes(tag))) {
    assert.throws(() => customBlocks(options.tags, assert.fail), /tags\.names/);
    continue;
  }
  const deltas = (first) => {
    const transform = customBlocks(options.tags, () => {});
    const given = chunks.map((chunk) => (typeof chunk === "string" ? { ...first, delta: chunk } : chunk));
    return [...given.flatMap((delta) => transform.process(delta)), ...transform.flush()];
  };
  const second = ({ type, ...rest }) =>
    type === "text" ? { ...rest, type: "content-delta", blockIndex: 3 } : { ...rest, type: type.replaceAll("_", "-") };
  assert.deepEqual(deltas({ type: "text" }), expected.deltas, chunks);
  const own = expected.deltas.map((delta) => (/^(text$|custom_block)/.test(delta.type) ? second(delta) : delta));
  assert.deepEqual(deltas({ type: "content-delta", blockIndex: 3 }), own, chunks);
}
let findings = [];
const transform = customBlocks(["citation"], (found) => (findings = found));
transform.process({ type: "text", delta: 'Rain. <citation url="a>b">Sky</citaton>\n' });
transform.flush();
assert.deepEqual(findings.map(({ name }) => name), ["unclosed-block", "angle-bracket-in-attribute", "misspelt-tag"]);
assert.deepEqual(customBlocks(["done"], assert.fail).flush(), []);

// the program of the package's own page, for a response in two chunks
const readme = readFileSync(new URL("../../editors/npm/README.md", import.meta.url), "utf8");
const [, names, program] = /```js\nimport (\{.*\}) from "llmblocks";\n([^]*?)```/.exec(readme);
const AsyncFunction = (async () => {}).constructor;
const said = [];
const run = new AsyncFunction("llmblocks", "text", "response", "console", "run", `const ${names} = llmblocks;${program}return { repaired, messages };`);
const llmblocks = await import(pathToFileURL(path.join(process.argv[2], "node_modules", "llmblocks", "library.mjs")));
const broken = "!!!GADGET_START:Weather:w1\n!!!ARG:city\nLisbon\n!!!ARG:city\nLisbon\n!!!GADGET_END\n";
const log = { log: (...words) => said.push(words.join(" ")) };
const done = await run(llmblocks, broken, ["!!!GADGET_START:Go\n!!!ARG:to\nPor", "to\n!!!GADGET_END\n"], log, (...call) => said.push(call));
assert.deepEqual([said[0].slice(0, 27), said[1]], ["4 G101 Duplicate pointer: c", ["Go", { to: "Porto" }]]);
assert.deepEqual([done.repaired.includes("ARG:city\nLisbon\n!!!GADGET_END"), done.messages.length], [true, 1]);
