// The languages of the files of settings. The server completes TOML; in the definitions of gadgets, the words of JSON
// Schema are completed here.
import { completeFromList } from "@codemirror/autocomplete";
import { json, jsonLanguage } from "@codemirror/lang-json";
import { StreamLanguage } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";

const WORDS = [
  ...["name", "description", "schema", "type", "properties", "required", "items", "enum", "additionalProperties"],
  ...["minimum", "maximum", "minLength", "maxLength", "pattern", "format", "default", "anyOf"],
  ...["object", "array", "string", "integer", "number", "boolean"],
];

export const tomlEditing = StreamLanguage.define(toml);
export const jsonEditing = [json(), jsonLanguage.data.of({ autocomplete: completeWords() })];

// Words in quotes, with the quotes
function completeWords() {
  const complete = completeFromList(WORDS.map((word) => ({ label: `"${word}"`, type: "property" })));
  return (context) => (context.matchBefore(/"\w*$/) ? { ...complete(context), from: context.matchBefore(/"\w*$/).from } : null);
}
