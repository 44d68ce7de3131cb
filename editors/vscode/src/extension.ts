import * as vscode from "vscode";
import { registerCommands } from "./commands.js";
import { followDialect } from "./comments.js";
import { Supervisor } from "./server/supervisor.js";
import { namesAnotherServer, serverSettings } from "./settings.js";
import { ShownResults } from "./shown.js";
import type { State } from "./state.js";
import { createStatus } from "./status.js";
import { completeSettings } from "./toml/completion.js";
import { reportSettings } from "./toml/reporting.js";
import { tickSteps } from "./walkthrough.js";

/** The API for other extensions and the end-to-end tests. */
export interface Api {
  readonly state: () => State;
  readonly onDidChangeState: vscode.Event<State>;
}

let supervisor: Supervisor | undefined;

export function activate(context: vscode.ExtensionContext): Api {
  // the only output channel: the extension's log, the server's stderr and, when traced, the messages between them
  const log = vscode.window.createOutputChannel("llmblocks", { log: true });
  const folders = { extension: context.extensionUri, storage: context.globalStorageUri };
  const shown = new ShownResults();
  const current = new Supervisor(folders, serverSettings(context.extension.packageJSON), shown, log);
  supervisor = current;
  const restart = (): void => void current.restart();
  context.subscriptions.push(
    log,
    shown,
    current.state,
    createStatus(current.state),
    registerCommands({ supervisor: current, log }),
    followDialect(),
    completeSettings(),
    reportSettings(current),
    tickSteps(current.state),
    vscode.workspace.onDidChangeConfiguration((change) => namesAnotherServer(change) && restart()),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
  );
  // not awaited: VS Code does not need the server to go on
  restart();
  return { state: () => current.state.current, onDidChangeState: current.state.onDidChange };
}

export function deactivate(): Promise<void> | undefined {
  return supervisor?.stop();
}
