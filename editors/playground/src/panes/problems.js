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
  // null until the server has told them
  found = null;

  constructor(parent, context) {
    this.parent = parent;
    this.context = context;
    this.note(READING);
  }

  told(diagnostics) {
    this.found = diagnostics;
    this.context.retitle(this, diagnostics ? `Problems (${diagnostics.length})` : this.title);
    if (!diagnostics?.length) this.note(diagnostics ? NONE : READING);
    // the cards first: their fixes take longer
    else if (!this.parent.querySelector("ol")) this.draw(diagnostics.slice(0, MOST), []);
    if (diagnostics) this.context.tell(diagnostics.length === 1 ? "1 problem" : `${diagnostics.length} problems`);
  }

  // Show findings that were known before the server runs, without fixes
  foresee(findings) {
    const found = findings.map(diagnostic);
    showFindings(this.context.view, found);
    this.told(found);
    this.found = null;
  }

  note(text) {
    this.parent.replaceChildren(element("p", { class: "quiet" }, text));
  }

  async show() {
    const { found } = this;
    if (!found?.length) return;
    const shown = found.slice(0, MOST);
    const [all, ...fixes] = await Promise.all([this.fixAll(), ...shown.slice(0, MOST_FIXES).map((each) => this.fixes(each))]);
    if (found === this.found) this.draw(shown, fixes, all);
  }

  // `fixes` are those of the first findings; empty while they are not known
  draw(shown, fixes, all) {
    const list = element("ol", {}, ...shown.map((finding, at) => this.item(this.context.view, finding, fixes.length ? fixes[at] : null)));
    const more = (this.found?.length ?? 0) - shown.length;
    this.parent.replaceChildren(
      all ? element("div", { class: "row" }, this.button(all)) : "",
      list,
      more > 0 ? element("p", { class: "quiet" }, `${more} more are not shown here.`) : "",
    );
  }

  item(view, finding, actions) {
    const severity = SEVERITIES[finding.severity ?? 1];
    const { line, character } = finding.range.start;
    const [what, ...then] = finding.message.split("\n");
    const buttons = element("div", { class: "fixes" });
    if (actions) this.offer(buttons, actions);
    else if (actions === undefined) {
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

  // The fixes, and behind a word the ways to silence the finding
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
