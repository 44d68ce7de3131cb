// The findings of the document, with their fixes.
import { LSPPlugin } from "@codemirror/lsp-client";
import { applyEdits, ask, select } from "../editor.js";
import { element } from "../dom.js";

const SEVERITIES = [null, "error", "warning", "note", "hint"];
const MOST = 200;

export class Problems {
  id = "problems";
  title = "Problems";
  // null until the server has told them
  found = null;

  constructor(parent, context) {
    this.parent = parent;
    this.context = context;
  }

  told(diagnostics) {
    this.found = diagnostics;
    if (!diagnostics) {
      this.context.retitle(this, this.title);
      return;
    }
    this.context.retitle(this, `Problems (${diagnostics.length})`);
    this.context.tell(diagnostics.length === 1 ? "1 problem" : `${diagnostics.length} problems`);
  }

  async show() {
    const { view } = this.context;
    if (!this.found) {
      this.parent.replaceChildren(element("p", { class: "quiet" }, "The language server is reading the text."));
      return;
    }
    const shown = this.found.slice(0, MOST);
    if (!shown.length) {
      this.parent.replaceChildren(element("p", { class: "quiet" }, "Nothing found."));
      return;
    }
    const list = element("ol", {});
    for (const finding of shown) list.append(this.item(view, finding));
    const more = this.found.length - shown.length;
    const all = element("button", { type: "button", onclick: () => this.fixAll() }, "Fix all that is safe");
    this.parent.replaceChildren(
      element("div", { class: "row" }, all),
      list,
      more > 0 ? element("p", { class: "quiet" }, `${more} more are not shown here.`) : "",
    );
  }

  item(view, finding) {
    const severity = SEVERITIES[finding.severity ?? 1];
    const { line, character } = finding.range.start;
    const fixes = element("div", { class: "fixes" });
    const offer = element(
      "button",
      {
        type: "button",
        "aria-label": `Fixes… for ${finding.code} in line ${line + 1}`,
        onclick: () => this.offer(view, finding, fixes),
      },
      "Fixes…",
    );
    fixes.append(offer);
    return element(
      "li",
      { class: "item" },
      element(
        "button",
        { type: "button", class: "jump", onclick: () => select(view, finding.range) },
        `${line + 1}:${character + 1}`,
      ),
      " ",
      element("span", { class: severity }, `${severity} `),
      finding.codeDescription
        ? element("a", { href: finding.codeDescription.href, rel: "noreferrer", target: "_blank" }, finding.code)
        : (finding.code ?? ""),
      element("div", {}, finding.message),
      fixes,
    );
  }

  async offer(view, finding, parent) {
    const params = { range: finding.range, context: { diagnostics: [finding], only: ["quickfix"] } };
    const actions = (await ask(view, "textDocument/codeAction", params)) ?? [];
    if (!actions.length) {
      parent.replaceChildren(element("span", { class: "quiet" }, "There is no fix for this."));
      return;
    }
    const buttons = actions.map((action) =>
      element("button", { type: "button", onclick: () => this.apply(view, action) }, action.title),
    );
    parent.replaceChildren(...buttons);
    buttons[0].focus();
  }

  async fixAll() {
    const { view } = this.context;
    const plugin = LSPPlugin.get(view);
    const range = { start: { line: 0, character: 0 }, end: plugin.toPosition(view.state.doc.length) };
    const context = { diagnostics: [], only: ["source.fixAll"] };
    const [action] = (await ask(view, "textDocument/codeAction", { range, context })) ?? [];
    if (action) await this.apply(view, action);
    else this.context.say("There is nothing that a safe fix changes.");
  }

  async apply(view, action) {
    const plugin = LSPPlugin.get(view);
    const whole = action.edit ? action : await plugin.client.request("codeAction/resolve", action);
    const edits = whole.edit?.changes?.[plugin.uri] ?? whole.edit?.documentChanges?.flatMap((each) => each.edits) ?? [];
    applyEdits(view, edits);
    this.context.say(`Applied: ${action.title}`);
    view.focus();
  }
}
