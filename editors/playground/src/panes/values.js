// The values that a program receives: calls with their parameters, messages, blocks.
import { ask, askBeginning, askCommand, select } from "../editor.js";
import { element } from "../dom.js";
import { drawnText, drawnValue } from "./value.js";

const MOST = 100;

export class Values {
  id = "values";
  title = "Values";
  places = [];

  constructor(parent, context) {
    this.parent = parent;
    this.context = context;
  }

  show() {
    return askBeginning(this.context, (uri, cut) => this.ask(uri, cut));
  }

  async ask(uri, cut) {
    const { view } = this.context;
    const [shown, symbols] = await Promise.all([
      askCommand(view, "showTranscript", {}, uri),
      ask(view, "textDocument/documentSymbol", {}, uri),
    ]);
    if (!shown || !symbols) return;
    if (shown.kind === "message") {
      this.parent.replaceChildren(element("p", { class: "quiet" }, shown.text));
      return;
    }
    const read = JSON.parse(shown.text);
    const values = (read.messages ?? read.items ?? [read]).filter((value) => value.type !== "text" || value.text.trim());
    const placed = values.filter((value) => value.type !== "text");
    // both are in the order of the text
    const symbolOf = new Map(placed.length === symbols.length ? placed.map((value, at) => [value, symbols[at]]) : []);
    this.places = [];
    const list = element("ol", {});
    for (const value of values.slice(0, MOST)) list.append(this.item(view, value, symbolOf.get(value)));
    const more = values.length - MOST;
    this.parent.replaceChildren(
      element("p", { class: "quiet" }, `What your program gets. ${cut}`),
      values.length ? list : element("p", { class: "quiet" }, "A program reads nothing in this text."),
      more > 0 ? element("p", { class: "quiet" }, `${more} more are not shown here.`) : "",
    );
    this.moved(view.state.selection.main.head);
  }

  item(view, value, symbol) {
    const { heading, body, error } = described(value);
    if (value.type === "text") return element("li", { class: "item prose" }, ...body);
    const item = element("li", { class: "item" });
    if (symbol) {
      const at = { start: symbol.range.start, end: symbol.range.start };
      item.append(element("button", { type: "button", class: "jump", onclick: () => select(view, at) }, heading));
      this.places.push({ item, symbol });
    } else {
      item.append(element("span", { class: "quiet" }, heading));
    }
    if (error) item.append(element("div", { class: "error" }, error));
    item.append(...body);
    return item;
  }

  // the other direction: what the cursor is in
  moved(offset) {
    const doc = this.context.view.state.doc;
    const line = doc.lineAt(Math.min(offset, doc.length)).number - 1;
    for (const { item, symbol } of this.places) {
      const { start, end } = symbol.range;
      const inside = line >= start.line && (line < end.line || (line === end.line && end.character > 0));
      item.setAttribute("aria-current", String(inside));
      if (inside && !this.parent.hidden) item.scrollIntoView({ block: "nearest" });
    }
  }
}

function described(value) {
  if (value.type === "text") return { heading: "", body: [drawnText(value.text)] };
  if (value.type === "call") {
    const after = value.dependencies?.length ? ` after ${value.dependencies.join(", ")}` : "";
    const error = value.error ? `The runtime rejects this call: ${value.error}` : "";
    const given = value.parameters && Object.keys(value.parameters).length;
    return { heading: `${value.name} · ${value.id}${after}`, body: given ? [drawnValue(value.parameters)] : [], error };
  }
  if (value.type === "block") {
    const attributes = value.attributes && Object.keys(value.attributes).length ? [drawnValue(value.attributes)] : [];
    return { heading: `<${value.tag}>`, body: [...attributes, ...(value.content?.trim() ? [drawnText(value.content)] : [])] };
  }
  const { role, content, ...rest } = value;
  const body = typeof content === "string" ? (content.trim() ? [drawnText(content)] : []) : content ? [drawnValue(content)] : [];
  if (Object.keys(rest).length) body.push(drawnValue(rest));
  return { heading: role ?? "message", body };
}
