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

// llmist refuses a call with the words of the finding, and the model is told
const response = readFileSync(new URL("../../docs/examples/session.gadget", import.meta.url), "utf8");
const { text: better, left, told } = repaired(response);
const parser = new GadgetCallParser();
const parsed = [...parser.feed(better), ...parser.finalize()].filter(({ type }) => type === "gadget_call");
const refused = parsed.map(({ call: { parseError } }) => parseError).filter(Boolean);
assert.ok(refused.length > 0);
for (const words of refused) assert.ok(left.some(({ message }) => message.startsWith(words)), words);
for (const words of refused) assert.ok(told.includes(words), words);
assert.equal(repaired("Hi").told, "");
