import * as vscode from "vscode";
import { type Dialect, dialectOf } from "./languages.js";
import { SECTION } from "./settings.js";

/**
 * Comment a chat in its own dialect: what comments the one is message text in the other.
 *
 * A language has one comment sign, and comments are toggled in the active editor only: the sign is that of its document.
 * So the command, its keys and the Edit menu stay VS Code's own.
 */
export function followDialect(): vscode.Disposable {
  let current: Dialect = "@";
  let configured: vscode.Disposable | undefined;
  const follow = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    const dialect = document?.languageId === "stf" ? dialectNow(document) : current;
    if (dialect !== current) {
      current = dialect;
      configured?.dispose();
      configured = vscode.languages.setLanguageConfiguration("stf", { comments: { lineComment: sign(dialect) } });
    }
  };
  follow();
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(follow),
    vscode.workspace.onDidChangeTextDocument(({ document }) => document === vscode.window.activeTextEditor?.document && follow()),
    vscode.workspace.onDidOpenTextDocument(follow),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration(`${SECTION}.stf.dialect`) && follow()),
    { dispose: () => configured?.dispose() },
  );
}

/** The setting, or what the text says. */
function dialectNow(document: vscode.TextDocument): Dialect {
  const set = vscode.workspace.getConfiguration(SECTION, document).get<string>("stf.dialect");
  return set === "@" || set === ";" ? set : dialectOf(document.lineCount, (line) => document.lineAt(line).text);
}

/** A comment is one at the beginning of its line only, which the types of the oldest VS Code that we run in cannot say. */
function sign(dialect: Dialect): string {
  return { comment: `${dialect}#`, noIndent: true } as unknown as string;
}
