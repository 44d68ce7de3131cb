import * as vscode from "vscode";
import { registerCommands } from "./commands.js";
import { followDialect } from "./comments.js";
import { startOnceNeeded } from "./embedded.js";
import { endLines, offerToUndo } from "./fixing.js";
import type { Find } from "./server/server.js";
import { Supervisor } from "./server/supervisor.js";
import { namesAnotherServer, serverSettings } from "./settings.js";
import { ShownResults } from "./shown.js";
import type { State } from "./state.js";
import { createStatus } from "./status.js";
import { colourSettings } from "./toml/colours.js";
import { dropSecondEnds, forgetChoice, openLists } from "./typing.js";
import { tickSteps } from "./walkthrough.js";

/** The API for other extensions and the end-to-end tests. */
export interface Api {
  readonly state: () => State;
  readonly onDidChangeState: vscode.Event<State>;
}

/** What differs between a desktop and a browser. */
export interface Host {
  readonly find: Find;
  readonly chooseInterpreter: (current: () => string | undefined) => Promise<void>;
}

let supervisor: Supervisor | undefined;

/** Start the extension: the same in Node and in a browser. */
export function start(context: vscode.ExtensionContext, host: (settings: readonly string[]) => Host): Api {
  // the only output channel: the extension's log, the server's stderr and, when traced, the messages between them
  const log = vscode.window.createOutputChannel("llmblocks", { log: true });
  const shown = new ShownResults(vscode.Uri.joinPath(context.extensionUri, "dist", "graph.js"));
  const settings = serverSettings(context.extension.packageJSON);
  const { find, chooseInterpreter } = host(settings);
  const current = new Supervisor(find, settings, shown, log);
  supervisor = current;
  const restart = (): void => void current.restart();
  context.subscriptions.push(
    log,
    shown,
    current.state,
    createStatus(current.state),
    registerCommands({ supervisor: current, log, chooseInterpreter }),
    followDialect(),
    dropSecondEnds(),
    forgetChoice(),
    openLists(current.state.onDidChange),
    offerToUndo(),
    endLines(),
    colourSettings(),
    tickSteps(current.state),
    vscode.workspace.onDidChangeConfiguration((change) => namesAnotherServer(change) && restart()),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    // not awaited: VS Code does not need the server to continue
    startOnceNeeded(current.state, restart),
  );
  return { state: () => current.state.current, onDidChangeState: current.state.onDidChange };
}

/** End the server. */
export function stop(): Promise<void> | undefined {
  return supervisor?.stop();
}
