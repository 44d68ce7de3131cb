// Text and calls of a response of the Vercel AI SDK (npm `ai`): `for await (const event of events(streamText(…).textStream))`.
import { GadgetStream } from "llmblocks";

// Events as soon as they are certain: Text, CallStarted, ArgStarted, ArgDelta, ArgEnded, CallEnded
export async function* events(textStream) {
  const stream = new GadgetStream();
  for await (const text of textStream) yield* stream.feed(text);
  yield* stream.close();
}
