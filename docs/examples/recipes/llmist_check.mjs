// A response for llmist, repaired where it has one meaning: `const { text, told } = repaired(response)`.
import { feedback, fix } from "llmblocks";

// `told` is the answer to the model if llmist would reject a call, else empty
// `known` are the earlier responses of the session: a call may wait for one of theirs
export function repaired(response, known = []) {
  const { text, left } = fix(response, "gadget", { known });
  const rejected = left.some(({ severity }) => severity === "error");
  return { text, left, told: rejected ? feedback(text, "gadget", { known }) : "" };
}
