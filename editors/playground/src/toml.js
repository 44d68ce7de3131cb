// Completion in the files of settings: in llmblocks.toml from its schema, in the definitions of gadgets of the words of
// JSON Schema.
import { completeFromList } from "@codemirror/autocomplete";
import { json, jsonLanguage } from "@codemirror/lang-json";
import { StreamLanguage } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import schema from "../../../docs/settings.schema.json";
import { placeOf } from "../../vscode/src/toml/place.ts";
import { Settings, isTable } from "../../vscode/src/toml/schema.ts";

const SETTINGS = new Settings(schema);
const language = StreamLanguage.define(toml);
const WORDS = [
  ...["name", "description", "schema", "type", "properties", "required", "items", "enum", "additionalProperties"],
  ...["minimum", "maximum", "minLength", "maxLength", "pattern", "format", "default", "anyOf"],
  ...["object", "array", "string", "integer", "number", "boolean"],
];

export const tomlEditing = [language, language.data.of({ autocomplete: completeSettings })];
export const jsonEditing = [json(), jsonLanguage.data.of({ autocomplete: completeWords() })];

function completeSettings(context) {
  const { doc } = context.state;
  const line = doc.lineAt(context.pos);
  const lineAt = (number) => doc.line(number + 1).text;
  const place = placeOf(line.number - 1, line.text.slice(0, context.pos - line.from), lineAt);
  if (!place || (!context.explicit && place.start === context.pos - line.from)) return null;
  const options = offered(place);
  return { from: line.from + place.start, options, validFor: /^[\w.[\]"'-]*$/ };
}

function offered({ kind, path, list }) {
  if (kind === "header") {
    // a table comes before the tables in it
    return SETTINGS.tables().map((each) => {
      const info = SETTINGS.at(each)?.description;
      return { label: `[${each.join(".")}]`, type: "namespace", boost: -each.length, info };
    });
  }
  if (kind === "key") {
    return SETTINGS.names(path).map(([name, each]) => ({
      label: name,
      type: "property",
      apply: isTable(each) && each.properties ? `${name}.` : `${name} = `,
      info: each.description,
    }));
  }
  const found = SETTINGS.at(path);
  const apply = (text) => (found?.type === "array" && !list ? `[${text}]` : text);
  return SETTINGS.values(path).map(({ text, title }) => ({ label: text, detail: title, type: "constant", apply: apply(text) }));
}

// Words in quotes, with the quotes
function completeWords() {
  const complete = completeFromList(WORDS.map((word) => ({ label: `"${word}"`, type: "property" })));
  return (context) => (context.matchBefore(/"\w*$/) ? { ...complete(context), from: context.matchBefore(/"\w*$/).from } : null);
}
