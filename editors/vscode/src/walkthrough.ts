import * as vscode from "vscode";
import { LANGUAGES } from "./languages.js";
import type { StateHolder } from "./state.js";

/**
 * Tick the steps of the walkthrough.
 *
 * VS Code reads the context keys of a walkthrough when its page is first opened, and never ticks a step whose key was
 * true by then. So the keys wait for the page.
 */
export function tickSteps(server: StateHolder): vscode.Disposable {
  const selector = LANGUAGES.map((language) => ({ language }));
  const done = new Set<string>();
  const look = (): void => {
    if (server.current.kind === "running") {
      done.add("python");
    }
    if (vscode.workspace.textDocuments.some((document) => vscode.languages.match(selector, document) > 0)) {
      done.add("open");
    }
    if (isPageOpen()) {
      for (const step of done) {
        void vscode.commands.executeCommand("setContext", `llmblocks.done.${step}`, true);
      }
    }
  };
  look();
  return vscode.Disposable.from(
    server.onDidChange(look),
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.window.tabGroups.onDidChangeTabs(look),
  );
}

/** The tab of the walkthrough page has no input for extensions. */
function isPageOpen(): boolean {
  return vscode.window.tabGroups.all.some((group) => group.tabs.some((tab) => tab.input === undefined));
}
