// The settings of the text, as the files that a project would have.
import { setDiagnostics } from "@codemirror/lint";
import { debounced, element } from "../dom.js";
import { connect, createSmallEditor, replaceText } from "../editor.js";
import { offset } from "../offset.js";
import { jsonEditing, tomlEditing } from "../toml.js";

const SEVERITIES = [null, "error", "warning", "info", "hint"];
const SCHEMAS = '[gadget.schemas]\n"**" = ["gadgets.json"]\n';
const TOML = "llmblocks.toml";
const GADGETS = "gadgets.json";
const FILES = [
  [TOML, "Settings, as in a project's llmblocks.toml. Completion offers keys and values.", tomlEditing],
  [GADGETS, "Definitions of gadgets, as from llmist gadget info --json: calls are checked against them.", jsonEditing],
];

export class Settings {
  id = "settings";
  title = "Settings";

  constructor(parent, context) {
    this.context = context;
    this.views = new Map();
    this.problems = new Map();
    const written = debounced(300, () => context.written());
    const defined = debounced(300, () => this.write());
    for (const [name, about, extensions] of FILES) {
      const home = element("div", { class: "small-editor" });
      const problems = element("ul", { "aria-label": `Problems of ${name}`, "aria-live": "polite" });
      parent.append(element("h2", {}, name), element("p", { class: "quiet" }, about), home, problems);
      const given = { parent: home, root: context.root, label: name, extensions, changed: name === GADGETS ? defined : written };
      this.views.set(name, createSmallEditor(given));
      this.problems.set(name, problems);
    }
  }

  show() {
    for (const view of this.views.values()) view.requestMeasure();
  }

  // Gadgets count only where the settings name them: without, the line that does is added where it is seen, once they are
  // written. Who types settings has no line put after the cursor.
  write() {
    const settings = this.views.get(TOML);
    const gadgets = this.views.get(GADGETS).state.doc.toString().trim();
    const text = settings.state.doc.toString();
    if (gadgets && !text.includes("gadget.schemas") && !text.includes("schemas.")) {
      const insert = `${text && !text.endsWith("\n") ? "\n" : ""}${text.trim() ? "\n" : ""}${SCHEMAS}`;
      settings.dispatch({ changes: { from: text.length, insert } });
    }
    this.context.written();
  }

  get text() {
    return this.views.get(TOML).state.doc.toString();
  }

  change(edit) {
    replaceText(this.views.get(TOML), edit(this.text));
    this.context.written();
  }

  get values() {
    return Object.fromEntries([...this.views].map(([name, view]) => [name, view.state.doc.toString()]));
  }

  set values(given) {
    for (const [name, view] of this.views) replaceText(view, given?.[name] ?? "");
    this.write();
  }

  // The server completes and checks the settings during typing
  connect(client, folder) {
    connect(this.views.get(TOML), client, `file://${folder}/${TOML}`, "toml", []);
  }

  told(name, diagnostics) {
    const view = this.views.get(name);
    if (!view) return;
    const { doc } = view.state;
    const marks = diagnostics.map(({ range, severity, message }) => {
      const from = offset(doc, range.start);
      return { from, to: Math.max(from, offset(doc, range.end)), severity: SEVERITIES[severity ?? 1], message };
    });
    view.dispatch(setDiagnostics(view.state, marks));
    const items = diagnostics.map(({ code, message, range }) =>
      element("li", { class: "error" }, `${range.start.line + 1}:${range.start.character + 1} ${code} ${message}`),
    );
    this.problems.get(name).replaceChildren(...items);
  }

  destroy() {
    for (const view of this.views.values()) view.destroy();
  }
}
