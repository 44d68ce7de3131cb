// A response for llmist, repaired where it has one meaning: `const { text, told } = repaired(response)`.
import { feedback, fix } from "llmblocks";

// `told` is what to answer the model if calls are left that llmist rejects; empty if there are none
// `known` are the earlier responses of the session: a call may wait for one of theirs
export function repaired(response, known = []) {
  const { text, left } = fix(response, "gadget", { known });
  const rejected = left.some(({ severity }) => severity === "error");
  return { text, left, told: rejected ? feedback(text, "gadget", { known }) : "" };
}
