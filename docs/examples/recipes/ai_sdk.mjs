// Text and calls of a response of the Vercel AI SDK (npm `ai`): `for await (const event of events(streamText(…).textStream))`.
// `llmblocks stream` reads the text in a process of its own, and prints each event as a line of JSON.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const COMMAND = ["llmblocks", "stream", "--language", "gadget", "--format", "ndjson"];

// Events as soon as they are certain: Text, CallStarted, ArgStarted, ArgDelta, ArgEnded, CallEnded
export async function* events(textStream, [program, ...words] = COMMAND) {
  const reader = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
  const failed = new Promise((_, reject) => reader.once("error", reject));
  failed.catch(() => {});
  const written = (async () => {
    for await (const text of textStream) {
      if (!reader.stdin.write(text)) await new Promise((ready) => reader.stdin.once("drain", ready));
    }
    reader.stdin.end();
  })();
  const lines = createInterface({ input: reader.stdout })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { value, done } = await Promise.race([lines.next(), failed]);
      if (done) break;
      yield JSON.parse(value);
    }
    await written;
  } finally {
    reader.kill();
  }
}
