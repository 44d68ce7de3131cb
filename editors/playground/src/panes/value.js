// Values as a person reads them: long texts as text, objects and lists as rows.
import { element } from "../dom.js";

const LONGEST = 4000;
const FOLDED_LINES = 12;
// a text that would be taken for another value is quoted
const AMBIGUOUS = /^$|^\s|\s$|^(true|false|null|-?[\d.][\d.eE+-]*)$/s;

// A text, without the white space around it; blank lines are folded, and so is all but the beginning of a long one.
export function drawnText(text) {
  const folded = text.trim().replaceAll(/\n\s*\n(\s*\n)+/g, "\n\n");
  const cut = folded.length > LONGEST ? `${folded.slice(0, LONGEST)}…` : folded;
  const lines = cut.split("\n");
  if (lines.length <= FOLDED_LINES + 2) return element("pre", {}, cut);
  const rest = element("pre", {}, lines.slice(FOLDED_LINES).join("\n"));
  const more = element("summary", {}, `${lines.length - FOLDED_LINES} more lines`);
  return element("div", {}, element("pre", {}, lines.slice(0, FOLDED_LINES).join("\n")), element("details", {}, more, rest));
}

export function drawnValue(value) {
  if (value === null || typeof value !== "object") return drawnScalar(value);
  const rows = Object.entries(value);
  if (!rows.length) return element("code", {}, Array.isArray(value) ? "[]" : "{}");
  const list = element("dl", {});
  for (const [key, each] of rows) {
    list.append(element("div", {}, element("dt", {}, Array.isArray(value) ? `${key}.` : key), element("dd", {}, drawnValue(key === "arguments" ? read(each) : each))));
  }
  return list;
}

function drawnScalar(value) {
  if (typeof value !== "string") return element("code", { class: "number" }, JSON.stringify(value));
  if (value.includes("\n")) return drawnText(value);
  return element("span", {}, AMBIGUOUS.test(value) ? JSON.stringify(value) : value);
}

// The arguments of a tool call are JSON in a text.
function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
