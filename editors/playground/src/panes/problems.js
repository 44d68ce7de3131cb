// The findings of the document, with their fixes.
import { LSPPlugin } from "@codemirror/lsp-client";
import { ask, select, showFindings } from "../editor.js";
import { element } from "../dom.js";

const SEVERITIES = [null, "error", "warning", "note", "hint"];
const COMMAND_LINE = [null, "error", "warning", "information", "hint"];
const READING = "Reading…";
const NONE = "Nothing found: your program gets all that is written.";
const MOST = 200;
// the fixes of more findings are asked for by a click
const MOST_FIXES = 20;

export class Problems {
  id = "problems";
  title = "Problems";
  // null until the server has sent them
  found = null;

  constructor(parent, context) {
    this.parent = parent;
    this.context = context;
    this.note(READING);
  }

  told(diagnostics) {
    this.found = diagnostics;
    if (!diagnostics && this.foreseen) return;
    this.context.retitle(this, diagnostics ? `Problems (${diagnostics.length})` : this.title);
    if (!diagnostics?.length) this.note(diagnostics ? NONE : READING);
    // the cards first: their fixes take longer
    else if (this.foreseen || !this.drawn) this.draw(diagnostics);
    this.foreseen = false;
    if (diagnostics) this.context.tell(diagnostics.length === 1 ? "1 problem" : `${diagnostics.length} problems`);
  }

  // Show the findings of a text before the server runs, without fixes; null if they are not known
  foresee(findings) {
    const found = (findings ?? []).map(diagnostic);
    showFindings(this.context.view, found);
    this.foreseen = false;
    this.told(found.length ? found : null);
    this.foreseen = found.length > 0;
    this.found = null;
  }

  note(text) {
    this.drawn = null;
    this.parent.replaceChildren(element("p", { class: "quiet" }, text));
  }

  async show() {
    const { found } = this;
    if (!found?.length) return;
    const wanted = found.slice(0, MOST_FIXES);
    const [all, ...fixes] = await Promise.all([this.fixAll(), ...wanted.map((each) => this.fixes(each))]);
    if (found !== this.found) return;
    if (this.drawn !== found || !this.list.hasAttribute("aria-busy")) this.draw(found);
    for (const [at, actions] of fixes.entries()) this.offer(this.list.children[at].querySelector(".fixes"), actions ?? []);
    this.list.removeAttribute("aria-busy");
    if (all) this.parent.prepend(element("div", { class: "row" }, this.button(all)));
  }

  // The cards; the fixes of the first ones are added once they are known
  draw(found) {
    this.drawn = found;
    const shown = found.slice(0, MOST);
    const more = found.length - shown.length;
    this.list = element("ol", { "aria-busy": "true" }, ...shown.map((finding, at) => this.item(this.context.view, finding, at >= MOST_FIXES)));
    this.parent.replaceChildren(this.list, more > 0 ? element("p", { class: "quiet" }, `${more} more are not shown here.`) : "");
  }

  item(view, finding, isAsked) {
    const severity = SEVERITIES[finding.severity ?? 1];
    const { line, character } = finding.range.start;
    const [what, ...then] = finding.message.split("\n");
    const buttons = element("div", { class: "fixes" });
    if (isAsked) {
      const ask = async () => this.offer(buttons, (await this.fixes(finding)) ?? [], true);
      const label = `Fixes… for ${finding.code} in line ${line + 1}`;
      buttons.append(element("button", { type: "button", "aria-label": label, onclick: ask }, "Fixes…"));
    }
    return element(
      "li",
      { class: "item" },
      element("button", { type: "button", class: "jump", onclick: () => select(view, finding.range) }, `${line + 1}:${character + 1}`),
      " ",
      element("span", { class: severity }, `${severity} `),
      finding.codeDescription
        ? element("a", { href: finding.codeDescription.href, rel: "noreferrer", target: "_blank" }, finding.code)
        : (finding.code ?? ""),
      element("div", { class: "what" }, what),
      ...then.map((line) => element("div", { class: "quiet" }, line)),
      buttons,
    );
  }

  // The fixes, and after a word the ways to silence the finding
  offer(parent, actions, focus = false) {
    const silencing = actions.filter(({ title }) => title.startsWith("Ignore "));
    const fixes = actions.filter((action) => !silencing.includes(action)).map((action) => this.button(action));
    if (!actions.length) fixes.push(element("span", { class: "quiet" }, "There is no fix for this."));
    if (silencing.length) {
      const all = silencing.map((action) => this.button(action));
      fixes.push(element("details", {}, element("summary", {}, "Ignore…"), ...all));
    }
    parent.replaceChildren(...fixes);
    if (focus) parent.querySelector("button, summary")?.focus();
  }

  button(action) {
    const { title } = action;
    return element("button", { type: "button", onclick: () => this.context.apply(action, title) }, title);
  }

  fixes(finding) {
    const context = { diagnostics: [finding], only: ["quickfix"] };
    return ask(this.context.view, "textDocument/codeAction", { range: finding.range, context }).catch(() => []);
  }

  // What fixes all that is safe to fix, if anything is.
  async fixAll() {
    const { view } = this.context;
    const range = { start: { line: 0, character: 0 }, end: LSPPlugin.get(view).toPosition(view.state.doc.length) };
    const context = { diagnostics: [], only: ["source.fixAll"] };
    const [action] = (await ask(view, "textDocument/codeAction", { range, context }).catch(() => [])) ?? [];
    return action;
  }
}

// A finding of the command line as a diagnostic: its columns are code points, counted from 1.
function diagnostic(found) {
  const position = (line, column) => ({ line: line - 1, character: column - 1 });
  return {
    range: { start: position(found.line, found.column), end: position(found.endLine, found.endColumn) },
    severity: Math.max(1, COMMAND_LINE.indexOf(found.severity)),
    code: found.code,
    codeDescription: { href: found.url },
    message: [found.headline, found.note && `note: ${found.note}`, found.help && `help: ${found.help}`].filter(Boolean).join("\n"),
  };
}
