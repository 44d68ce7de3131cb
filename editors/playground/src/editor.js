// The editors: of the text, connected to the language server, and of its settings.
import {
  acceptCompletion,
  autocompletion,
  completionStatus,
  moveCompletionSelection,
  pickedCompletion,
  selectedCompletionIndex,
  startCompletion,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, insertNewline } from "@codemirror/commands";
import { HighlightStyle, foldGutter, foldKeymap, foldService, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { LSPPlugin, languageServerExtensions } from "@codemirror/lsp-client";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { arrival } from "./arrival.js";
import { semanticColours, tokens } from "./colours.js";
import { offset } from "./offset.js";
import { typing } from "./typing.js";

const setFolds = StateEffect.define();
const folds = StateField.define({
  create: () => new Map(),
  update(known, transaction) {
    for (const effect of transaction.effects) if (effect.is(setFolds)) return effect.value;
    return transaction.docChanged ? new Map() : known;
  },
});

const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--page)", color: "var(--text)", fontSize: "13px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--quiet)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent) !important",
  },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-lsp-documentation": { maxWidth: "40rem", padding: "0.2rem 0.5rem" },
  ".cm-diagnosticText": { whiteSpace: "pre-wrap" },
  ".cm-textfield, .cm-button": { backgroundColor: "var(--page)", color: "var(--text)", backgroundImage: "none" },
  ".token-keyword, .token-macro": { color: "var(--keyword)", fontWeight: "600" },
  ".token-function, .token-type, .token-class, .token-namespace, .token-struct": { color: "var(--name)" },
  ".token-string": { color: "var(--string)" },
  ".token-number": { color: "var(--number)" },
  ".token-comment": { color: "var(--comment)", fontStyle: "italic" },
  ".token-property, .token-parameter, .token-variable": { color: "var(--property)" },
  ".token-operator, .token-decorator": { color: "var(--quiet)" },
  ".cm-ahead, .cm-ahead *": { color: "var(--ahead) !important", fontWeight: "400" },
  ".cm-arriving": { backgroundColor: "var(--mark)" },
  ".cm-held": { backgroundColor: "var(--held)", outline: "1px solid var(--warning)" },
});
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.atom], color: "var(--property)" },
  { tag: tags.string, color: "var(--string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--number)" },
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.heading], color: "var(--keyword)" },
]);

// Nothing is inserted that was not chosen: Enter ends the line unless an arrow has chosen from the list, and Tab takes
// the first that is offered. Brackets are not closed, as most of what is written is prose.
const completing = [
  // its icons are emoji, which not every machine has
  autocompletion({ selectOnOpen: false, interactionDelay: 0, icons: false }),
  Prec.highest(keymap.of([{ key: "Tab", run: acceptOffered }])),
  EditorView.updateListener.of(({ docChanged, transactions, view }) => {
    // what was chosen may open the next list
    if (transactions.some((each) => each.annotation(pickedCompletion))) setTimeout(() => view.dom.isConnected && startCompletion(view));
    const isPending = completionStatus(view.state) === "pending";
    if (waiting.has(view) && (docChanged || !isPending)) {
      waiting.delete(view);
      if (!docChanged) setTimeout(() => acceptOffered(view));
    }
  }),
];
// the editors whose list was not there yet when Tab was pressed: the focus would go elsewhere
const waiting = new WeakSet();

function acceptOffered(view) {
  const status = completionStatus(view.state);
  if (status === "pending") waiting.add(view);
  if (status !== "active") return status === "pending";
  if (selectedCompletionIndex(view.state) === null) moveCompletionSelection(true)(view);
  return acceptCompletion(view);
}

const editing = [
  history(),
  drawSelection(matchMedia("(prefers-reduced-motion: reduce)").matches ? { cursorBlinkRate: 0 } : {}),
  EditorState.allowMultipleSelections.of(true),
  highlightSpecialChars(),
  EditorView.lineWrapping,
  completing,
  keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap, ...lintKeymap]),
  look,
];
const language = new Compartment();

export function createEditor({ parent, root, label, changed, moved }) {
  return new EditorView({
    parent,
    root,
    state: EditorState.create({
      extensions: [
        lineNumbers(),
        foldGutter(),
        lintGutter(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        // white space in front of a line is content: none is inserted
        Prec.high(keymap.of([{ key: "Enter", run: insertNewline }])),
        editing,
        typing,
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        arrival,
        tokens,
        folds,
        foldService.of((state, start) => state.field(folds).get(start) ?? null),
        language.of([]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update);
          if (update.selectionSet) moved(update.state.selection.main.head);
        }),
      ],
    }),
  });
}

// A small editor, of a file with settings: `extensions` are its language.
export function createSmallEditor({ parent, root, label, extensions, changed }) {
  return new EditorView({
    parent,
    root,
    state: EditorState.create({
      extensions: [
        lintGutter(),
        editing,
        syntaxHighlighting(colours),
        extensions,
        language.of([]),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorView.updateListener.of((update) => update.docChanged && changed(update)),
      ],
    }),
  });
}

export function replaceText(view, text) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 } });
}

// Open the text again, as a document of this language.
export function connect(view, client, uri, languageId, painter = semanticColours) {
  view.dispatch({ effects: language.reconfigure([]) });
  view.dispatch({ effects: language.reconfigure([client.plugin(uri, languageId), painter]) });
}

const LARGE = 200_000;
const BEGINNING = 100_000;
const EDITS = ["quickfix", "source", "source.fixAll"];
export const clientExtensions = [
  ...languageServerExtensions(),
  {
    clientCapabilities: {
      textDocument: {
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: EDITS } }, isPreferredSupport: true },
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
        // the client writes the choices of a snippet as they are: without snippets, each step opens the next list
        completion: { completionItem: { snippetSupport: false } },
      },
    },
  },
];

// Ask for something about the document. Returns undefined if the text has changed meanwhile.
export async function ask(view, method, params = {}, uri = LSPPlugin.get(view)?.uri) {
  const plugin = LSPPlugin.get(view);
  if (!plugin) return undefined;
  await plugin.client.initializing;
  plugin.client.sync();
  const doc = view.state.doc;
  const found = await plugin.client.request(method, { textDocument: { uri }, ...params });
  return view.state.doc === doc ? found : undefined;
}

export async function askCommand(view, command, argument = {}, uri = LSPPlugin.get(view)?.uri) {
  const given = { command: `llmblocks.${command}`, arguments: [{ textDocument: { uri }, ...argument }] };
  return ask(view, "workspace/executeCommand", given);
}

// For a large text, a pane asks about its beginning as a separate document: the answers are as long
// as the text. `asked` gets the URI, and a sentence for the user.
export async function askBeginning({ view, language }, asked) {
  const plugin = LSPPlugin.get(view);
  const { doc } = view.state;
  if (!plugin || doc.length <= LARGE) return asked(plugin?.uri, "");
  await plugin.client.initializing;
  const { client, uri: whole } = plugin;
  const uri = whole.replace(/text(?=\.\w+$)/, "beginning");
  const text = doc.sliceString(0, doc.lineAt(BEGINNING).from || BEGINNING);
  client.notification("textDocument/didOpen", { textDocument: { uri, languageId: language(), version: 0, text } });
  try {
    return await asked(uri, `Only the first ${text.length.toLocaleString("en")} characters are shown here.`);
  } finally {
    client.notification("textDocument/didClose", { textDocument: { uri } });
  }
}

export async function refreshFolds(view) {
  const found = await ask(view, "textDocument/foldingRange");
  if (!found) return;
  const doc = view.state.doc;
  const known = new Map();
  for (const { startLine, endLine } of found) {
    if (endLine >= doc.lines) continue;
    const start = doc.line(startLine + 1);
    if (!known.has(start.from)) known.set(start.from, { from: start.to, to: doc.line(endLine + 1).to });
  }
  view.dispatch({ effects: setFolds.of(known) });
}

export function select(view, { start, end }) {
  const { doc } = view.state;
  view.dispatch({ selection: { anchor: offset(doc, start), head: offset(doc, end) }, scrollIntoView: true });
  view.focus();
}

const SEVERITIES = [null, "error", "warning", "info", "hint"];

// Underline findings before the server tells its own
export function showFindings(view, found) {
  const { doc } = view.state;
  const shown = found.map(({ range, severity, message }) => ({
    from: offset(doc, range.start),
    to: offset(doc, range.end),
    severity: SEVERITIES[severity],
    message,
  }));
  view.dispatch(setDiagnostics(view.state, shown));
}

export function applyEdits(view, edits) {
  const { doc } = view.state;
  view.dispatch({
    changes: edits.map(({ range, newText }) => ({
      from: offset(doc, range.start),
      to: offset(doc, range.end),
      insert: newText,
    })),
    userEvent: "input.fix",
  });
}
