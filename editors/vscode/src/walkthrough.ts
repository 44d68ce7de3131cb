import * as vscode from "vscode";
import { LANGUAGES } from "./languages.js";

/** Tick "Open a file" in the walkthrough: VS Code has no event for a file of a language, but one for a context key. */
export function tickOpened(): vscode.Disposable {
  const selector = LANGUAGES.map((language) => ({ language }));
  const look = (document: vscode.TextDocument): void => {
    if (vscode.languages.match(selector, document) > 0) {
      void vscode.commands.executeCommand("setContext", "llmblocks.opened", true);
    }
  };
  vscode.workspace.textDocuments.forEach(look);
  return vscode.workspace.onDidOpenTextDocument(look);
}
