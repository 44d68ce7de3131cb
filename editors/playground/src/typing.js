// The server's edits after a character was typed: it ends what was begun, and an end that is typed again is not doubled.
import { completionStatus, startCompletion } from "@codemirror/autocomplete";
import { LSPPlugin } from "@codemirror/lsp-client";
import { Transaction } from "@codemirror/state";
import { ViewPlugin } from "@codemirror/view";
import { offset } from "./offset.js";

const OPTIONS = { tabSize: 2, insertSpaces: true };
// an accepted completion, a fix and our own edits are intended
const NOT_TYPED = /^(input\.(complete|drop|fix|end)|(?!input).*)$/;

export const typing = ViewPlugin.fromClass(
  class {
    // what has changed since each request
    waiting = new Set();

    constructor(view) {
      this.view = view;
    }

    update({ docChanged, changes, transactions, state }) {
      if (!docChanged) return;
      for (const each of this.waiting) each.changes = each.changes.compose(changes);
      const typed = transactions.length === 1 && state.selection.ranges.length === 1 ? character(transactions[0]) : "";
      const isPaste = transactions[0].isUserEvent("input.paste");
      // an update cannot begin another
      if (typed) queueMicrotask(() => this.ask(typed, isPaste).catch(() => {}));
    }

    async ask(typed, isPaste) {
      const plugin = LSPPlugin.get(this.view);
      const found = plugin?.client.serverCapabilities?.documentOnTypeFormattingProvider;
      if (!found || ![found.firstTriggerCharacter, ...(found.moreTriggerCharacter ?? [])].includes(typed)) return;
      plugin.client.sync();
      const { doc, selection } = this.view.state;
      const since = { changes: this.view.state.changes() };
      this.waiting.add(since);
      try {
        const params = { textDocument: { uri: plugin.uri }, position: plugin.toPosition(selection.main.head), ch: typed, options: OPTIONS };
        const edits = (await plugin.client.request("textDocument/onTypeFormatting", params)) ?? [];
        // typed text before the caret stays unchanged, and pasted text lacks no end
        const wanted = ({ range, newText }) => offset(doc, range.start) >= selection.main.head && !(isPaste && newText);
        this.apply(edits.filter(wanted), doc, since.changes);
      } finally {
        this.waiting.delete(since);
      }
    }

    // The edits apply to an earlier text. Text typed since then stays before the insertion; an
    // end that has been typed is not inserted.
    apply(edits, doc, since) {
      let typed = "";
      since.iterChanges((_, __, ___, ____, text) => (typed += text.toString()));
      const changes = edits
        .filter(({ newText }) => since.empty || !newText.trim() || !typed.includes(newText.trim()))
        .map(({ range, newText }) => {
          const from = since.mapPos(offset(doc, range.start), 1);
          return { from, to: Math.max(from, since.mapPos(offset(doc, range.end), -1)), insert: newText };
        });
      // the caret stays before what is inserted at it
      if (!changes.length) return;
      const isListing = completionStatus(this.view.state) !== null;
      this.view.dispatch({ changes, userEvent: "input.end" });
      // a key that was faster has asked for a list, which the edit would keep from opening
      if (isListing) startCompletion(this.view);
    }
  },
);

// The character that was typed, or the last one that was pasted; empty for anything else.
function character(transaction) {
  const event = transaction.annotation(Transaction.userEvent) ?? "";
  if (NOT_TYPED.test(event)) return "";
  const inserted = [];
  transaction.changes.iterChanges((_, __, ___, ____, text) => inserted.push(text.toString()));
  if (inserted.length !== 1 || (inserted[0].length !== 1 && event !== "input.paste")) return "";
  return inserted[0].slice(-1);
}
