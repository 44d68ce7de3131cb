import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient";

const FIX_ALL = "source.fixAll.llmblocks";
/** Run after a fix; nobody else calls it. */
const FIXED = "llmblocks.fixed";

/** Run after a fix that ends all lines with LF; nobody else calls it. */
export const END_WITH_LF = "llmblocks.endWithLf";

/** Have a fix of everything that a person asks for say what it did; one on save is silent. */
export const tellWhatWasFixed: NonNullable<Middleware["provideCodeActions"]> = async (document, range, context, token, next) => {
  const actions = await next(document, range, context, token);
  if (context.triggerKind === vscode.CodeActionTriggerKind.Invoke) {
    for (const action of actions ?? []) {
      if (action instanceof vscode.CodeAction && action.kind?.value === FIX_ALL) {
        const [what] = /\d+ problems?/.exec(action.title) ?? ["all that can safely be fixed"];
        action.command = { title: action.title, command: FIXED, arguments: [`Fixed ${what}.`, document.uri.toString()] };
      }
    }
  }
  return actions;
};

/** The notice after a fix, which can undo it as long as nothing else has changed. */
export function offerToUndo(): vscode.Disposable {
  return vscode.commands.registerCommand(FIXED, async (said: string, uri: string) => {
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri);
    const version = document?.version;
    const undo = "Undo";
    const button = await vscode.window.showInformationMessage(`llmblocks: ${said}`, undo);
    if (button !== undo || document === undefined) {
      return;
    }
    if (document.version === version) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand("undo");
    } else {
      void vscode.window.showInformationMessage("llmblocks: the file has changed since. Undo in the editor takes back the later changes first.");
    }
  });
}

/** Line ends are kept apart from the text of a document: an edit cannot change them. */
export function endLines(): vscode.Disposable {
  return vscode.commands.registerCommand(END_WITH_LF, (uri: string) => {
    const edit = new vscode.WorkspaceEdit();
    edit.set(vscode.Uri.parse(uri), [vscode.TextEdit.setEndOfLine(vscode.EndOfLine.LF)]);
    return vscode.workspace.applyEdit(edit);
  });
}
