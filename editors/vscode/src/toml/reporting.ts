import * as vscode from "vscode";
import type { Supervisor } from "../server/supervisor.js";
import { FILES } from "./completion.js";

/** Tell the server of the settings files that are opened, so that it judges them before they are saved or used. */
export function reportSettings(supervisor: Supervisor): vscode.Disposable {
  const report = (document: vscode.TextDocument): void => {
    if (vscode.languages.match(FILES, document) > 0) {
      supervisor.reportFile(document.uri);
    }
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(report),
    supervisor.state.onDidChange((state) => state.kind === "running" && vscode.workspace.textDocuments.forEach(report)),
  );
}
