// The recipes for JavaScript with the real packages. Usage: node drive.mjs PROGRAM…: what runs llmblocks.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { simulateReadableStream, streamText } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { GadgetCallParser } from "llmist";
import { events } from "../../docs/examples/recipes/ai_sdk.mjs";
import { check } from "../../docs/examples/recipes/llmist_check.mjs";

const program = process.argv.slice(2);
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
const stream = [...program, "stream", "--language", "gadget", "--format", "ndjson"];
for await (const event of events(streamText({ model, prompt: "How is the weather?" }).textStream, stream)) seen.push(event);
const text = seen.filter(({ event }) => event === "TextDelta").map(({ delta }) => delta).join("");
assert.equal(text.trim(), "One moment.");
const [{ call }] = seen.filter(({ event }) => event === "CallEnded");
assert.deepEqual([call.name, call.parameters], ["Weather", { city: "Lisbon" }]);
await assert.rejects(async () => {
  for await (const _ of events(["a"], ["no-such-program"]));
}, { code: "ENOENT" });

// llmist refuses a call with the words of the finding
const response = readFileSync(new URL("../../docs/examples/session.gadget", import.meta.url), "utf8");
const command = [...program, "check", "--language", "gadget", "--format", "json", "--quiet", "-"];
const found = await check(response, command);
const parser = new GadgetCallParser();
const parsed = [...parser.feed(response), ...parser.finalize()].filter(({ type }) => type === "gadget_call");
const refused = parsed.map(({ call: { parseError } }) => parseError).filter(Boolean);
assert.ok(refused.length > 0);
for (const words of refused) assert.ok(found.some(({ message }) => message.startsWith(words)), words);
assert.deepEqual(await check("Hi", command), []);
