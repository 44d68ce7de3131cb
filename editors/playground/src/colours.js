// Colours by the server's semantic tokens.
import { LSPPlugin } from "@codemirror/lsp-client";
import { RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin } from "@codemirror/view";

const painted = StateEffect.define();
// Colours outlast the connection that they come from
export const tokens = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) if (effect.is(painted)) return effect.value;
    return marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});
const MARGIN = 5000;

const painter = ViewPlugin.fromClass(
  class {
    constructor(view) {
      this.view = view;
      this.plan(0);
    }

    update(update) {
      if (update.docChanged || update.viewportChanged) this.plan(30);
    }

    plan(wait) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.paint(), wait);
    }

    destroy() {
      clearTimeout(this.timer);
    }

    async paint() {
      const plugin = LSPPlugin.get(this.view);
      const client = plugin?.client;
      const legend = client?.serverCapabilities?.semanticTokensProvider?.legend;
      if (!legend) return this.plan(200);
      const { from, to } = this.view.viewport;
      client.sync();
      const doc = this.view.state.doc;
      const range = {
        start: plugin.toPosition(Math.max(0, from - MARGIN)),
        end: plugin.toPosition(Math.min(doc.length, to + MARGIN)),
      };
      try {
        const found = await client.request("textDocument/semanticTokens/range", {
          textDocument: { uri: plugin.uri },
          range,
        });
        if (this.view.state.doc === doc) {
          this.view.dispatch({ effects: painted.of(decorations(found?.data ?? [], legend, doc)) });
        }
      } catch {
        // the text has changed: the next update asks again
      }
    }
  },
);

function decorations(data, legend, doc) {
  const builder = new RangeSetBuilder();
  let line = 0;
  let character = 0;
  for (let at = 0; at + 4 < data.length; at += 5) {
    line += data[at];
    character = data[at] ? data[at + 1] : character + data[at + 1];
    if (line >= doc.lines) break;
    const start = doc.line(line + 1).from + character;
    const end = Math.min(start + data[at + 2], doc.length);
    const modifiers = legend.tokenModifiers.filter((_, bit) => data[at + 4] & (1 << bit));
    const classes = [legend.tokenTypes[data[at + 3]], ...modifiers].map((name) => `token-${name}`);
    if (end > start) builder.add(start, end, Decoration.mark({ class: classes.join(" ") }));
  }
  return builder.finish();
}

// Show colours before the server runs, as [start, end, role]
export function showColours(view, spans) {
  const marks = spans.map(([from, to, role]) => Decoration.mark({ class: `token-${role}` }).range(from, to));
  view.dispatch({ effects: painted.of(Decoration.set(marks)) });
}

export const semanticColours = painter;
export const repaint = (view) => view.plugin(painter)?.plan(0);
