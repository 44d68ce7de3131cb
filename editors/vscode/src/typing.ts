import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient";
import { LANGUAGES } from "./languages.js";
import type { State } from "./state.js";

type Change = vscode.TextDocumentContentChangeEvent;

/** One step back takes away the edit with the key that it came with. */
const TOGETHER = { undoStopBefore: false, undoStopAfter: false };
/** VS Code refuses an edit if a key was faster: as many keys as the fastest hands type while a busy machine waits. */
const TRIES = 200;
const OURS: ReadonlySet<string> = new Set(LANGUAGES);
/** The last characters of ends, but for those that a settings file chooses. */
const ENDS = "Dd/";
/** A marker, a command or a tag that is begun. */
const BEGUN = /!\S*$|^[@;]\w*$|<[\w-]*$/;

/**
 * Apply the server's edits after a key.
 *
 * VS Code would move the caret after an end that is inserted at it, and the next keys would land there. Where another key
 * was faster than the answer it would drop all edits, and leave a second end beside the one that was typed.
 */
export const applyWhileTyping: NonNullable<Middleware["provideOnTypeFormattingEdits"]> = async (document, position, ch, options, _, next) => {
  const changes: Change[] = [];
  const listening = vscode.workspace.onDidChangeTextDocument((change) => change.document === document && changes.push(...change.contentChanges));
  const patient = new vscode.CancellationTokenSource();
  try {
    const edits = (await next(document, position, ch, options, patient.token)) ?? [];
    const end = edits.find(({ range }) => range.isEmpty && range.start.isEqual(position));
    let others = edits.filter((each) => each !== end);
    const editor = vscode.window.activeTextEditor;
    if (editor?.document !== document) {
      return [];
    }
    // who continues at once writes the end, too
    const isWanted = end !== undefined && changes.length === 0;
    for (let tries = 0; tries < TRIES && others.length > 0; tries++) {
      others = moved(others, changes.splice(0));
      if (await editor.edit((builder) => others.forEach(({ range, newText }) => builder.replace(range, newText)), TOGETHER)) {
        break;
      }
    }
    if (isWanted && editor.selection.active.isEqual(position)) {
      await editor.insertSnippet(new vscode.SnippetString().appendTabstop(0).appendText(end.newText), position, TOGETHER);
    }
  } finally {
    listening.dispose();
    patient.dispose();
  }
  return [];
};

/** Drop the end after an end that is pasted: VS Code asks the server for this after a key only. */
export function dropSecondEnds(): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument(({ document, contentChanges: [change, another], reason }) => {
    const last = change?.text.slice(-1) ?? "";
    if (change === undefined || another !== undefined || reason !== undefined || change.text.length < 2 || !ENDS.includes(last) || !OURS.has(document.languageId)) {
      return;
    }
    const behind = document.positionAt(change.rangeOffset + change.text.length);
    void vscode.commands.executeCommand("vscode.executeFormatOnTypeProvider", document.uri, behind, last, { tabSize: 2, insertSpaces: true });
  });
}

/** Edits of a text in the text after changes, without those whose place has changed. */
function moved(edits: readonly vscode.TextEdit[], changes: readonly Change[]): vscode.TextEdit[] {
  return changes.reduce<vscode.TextEdit[]>((found, change) => found.flatMap((edit) => movedBy(change, edit)), [...edits]);
}

function movedBy(change: Change, edit: vscode.TextEdit): vscode.TextEdit[] {
  const { start, end } = edit.range;
  if (change.range.end.isBeforeOrEqual(start)) {
    return [vscode.TextEdit.replace(new vscode.Range(shifted(start, change), shifted(end, change)), edit.newText)];
  }
  return change.range.start.isAfterOrEqual(end) ? [edit] : [];
}

/** Where a position is after a change before it. */
function shifted(position: vscode.Position, { range, text }: Change): vscode.Position {
  const lines = text.split(/\r\n|\r|\n/);
  const last = lines.at(-1)?.length ?? 0;
  const end = range.start.translate(lines.length - 1).with({ character: lines.length === 1 ? range.start.character + last : last });
  const isSameLine = position.line === range.end.line;
  return new vscode.Position(position.line - range.end.line + end.line, isSameLine ? position.character - range.end.character + end.character : position.character);
}

/**
 * Let Enter accept a completion that was chosen with the arrow keys; else Enter is a new line, whatever list is open.
 *
 * The arrow keys run the command, and whatever moves the caret forgets it.
 */
export function forgetChoice(): vscode.Disposable {
  const chosen = new Context("llmblocks.chosen");
  return vscode.Disposable.from(
    vscode.commands.registerCommand("llmblocks.choose", () => chosen.set(true)),
    vscode.window.onDidChangeTextEditorSelection(() => chosen.set(false)),
  );
}

/** A value for the conditions of key bindings. */
export class Context {
  private value: boolean | undefined;

  constructor(private readonly name: string) {
    // the first command of a kind takes longer: VS Code asks all extensions for it
    this.set(false);
  }

  set(value: boolean): void {
    if (value !== this.value) {
      this.value = value;
      void vscode.commands.executeCommand("setContext", this.name, value);
    }
  }
}

/**
 * Open the list where VS Code does not: of what was typed before the server ran, when there was nobody to ask, where
 * Backspace takes back a part of a name, and where a letter replaces a selected one, such as that of a template.
 */
export function openLists(state: vscode.Event<State>): vscode.Disposable {
  return vscode.Disposable.from(
    state(({ kind }) => {
      const editor = vscode.window.activeTextEditor;
      if (kind === "running" && editor?.document.isDirty) {
        openList(editor.document, editor.selection.active);
      }
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges: [change, another], reason }) => {
      const isBack = change?.text === "" && change.rangeLength === 1;
      const isOver = change?.text.length === 1 && change.rangeLength > 0;
      if ((isBack || isOver) && another === undefined && reason === undefined && vscode.window.activeTextEditor?.document === document) {
        openList(document, change.range.start.translate(0, change.text.length));
      }
    }),
  );
}

function openList(document: vscode.TextDocument, caret: vscode.Position): void {
  if (OURS.has(document.languageId) && BEGUN.test(document.lineAt(caret).text.slice(0, caret.character))) {
    void vscode.commands.executeCommand("editor.action.triggerSuggest", { auto: true });
  }
}
