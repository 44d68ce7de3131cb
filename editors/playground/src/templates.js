// The picker of the response template of a raw completion. It edits the setting, where everybody can see it.
import { element } from "./dom.js";

const SETTING = /^(\[completion\][^[]*?^template\s*=\s*")([^"\n]*)"/ms;
const TABLE = /^\[completion\][^\n]*\n/m;

export class Templates {
  // `settings` is the pane; `language` gives the id of the language that is shown
  constructor(parent, { settings, language }) {
    Object.assign(this, { settings, language });
    this.select = element("select", { onchange: () => settings.change((text) => chosen(text, this.select.value)) });
    this.label = element("label", {}, "Template ", this.select);
    parent.append(this.label);
  }

  // The text, its language or its settings are others.
  show() {
    const { templates } = LANGUAGES.find(({ id }) => id === this.language());
    this.label.hidden = !templates.length;
    const [, , given = templates[0]] = SETTING.exec(this.settings.text) ?? [];
    // the setting may name a file
    const names = templates.includes(given) || !given ? templates : [...templates, given];
    this.select.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
    this.select.value = given ?? "";
  }
}

function chosen(text, name) {
  if (SETTING.test(text)) return text.replace(SETTING, (_, before) => `${before}${name}"`);
  const line = `template = "${name}"\n`;
  if (TABLE.test(text)) return text.replace(TABLE, (table) => table + line);
  return `${text}${text && !text.endsWith("\n") ? "\n" : ""}${text.trim() ? "\n" : ""}[completion]\n${line}`;
}
