import { CloseAction, ErrorAction, LanguageClient, type LanguageClientOptions } from "vscode-languageclient/node";
import * as vscode from "vscode";
import { LANGUAGES } from "../languages.js";
import { given, SECTION } from "../settings.js";
import type { ShownResults } from "../shown.js";
import type { ServerProcess } from "./process.js";

/** A client without messages of its own: the supervisor shows them. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** A client for a running process. The supervisor handles crashes and restarts. */
export function createClient(
  process: ServerProcess,
  settings: readonly string[],
  shown: ShownResults,
  log: vscode.LogOutputChannel,
): LanguageClient {
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.map((language) => ({ language })),
    outputChannel: log,
    // pushed findings carry their version; a pull that is cancelled during typing would clear them
    initializationOptions: {
      diagnostics: { delivery: given(settings)["diagnostics.delivery"] ?? "push" },
      // a model that the settings of a workspace name is imported, which runs its module
      trusted: vscode.workspace.isTrusted,
    },
    middleware: {
      workspace: { configuration: (asked) => asked.items.map(({ section }) => (section === SECTION ? given(settings) : null)) },
      executeCommand: (command, args, next) =>
        shown.run(command, args, async (name, given) => {
          const title = `llmblocks: ${name}`;
          const options = { location: vscode.ProgressLocation.Window, title };
          return vscode.window.withProgress(options, async () => next(name, given));
        }),
    },
    markdown: { supportHtml: false, isTrusted: false },
    // the process reads stderr itself
    stdioOptions: { stdout: () => undefined, stderr: () => undefined },
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
    },
    initializationFailedHandler: () => false,
  };
  return new QuietClient(SECTION, "llmblocks", () => Promise.resolve({ process: process.child, detached: true }), options);
}
