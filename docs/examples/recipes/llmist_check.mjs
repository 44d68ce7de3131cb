// What is wrong with a response for llmist, before it is run or after it has failed: `await check(response)`.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

const COMMAND = ["llmblocks", "check", "--language", "gadget", "--format", "json", "--quiet", "-"];

// The findings, each with code, line, column and message
export async function check(response, [program, ...words] = COMMAND) {
  const checker = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve, reject) => checker.once("error", reject).once("close", resolve));
  checker.stdin.end(response);
  const said = await text(checker.stdout);
  if ((await ended) > 1) throw new Error("llmblocks could not check the response");
  return JSON.parse(said);
}
