import * as vscode from "vscode";
import { type Dialect, dialectOf } from "./languages.js";
import { SECTION } from "./settings.js";

/**
 * Toggle comments in the dialect of the chat: the comment sign of one dialect is message text in the other.
 *
 * A language has only one comment sign, so the sign follows the document in the active editor. The command, its keys and
 * the Edit menu stay VS Code's own.
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

/** The dialect from the setting, else from the text. */
function dialectNow(document: vscode.TextDocument): Dialect {
  const set = vscode.workspace.getConfiguration(SECTION, document).get<string>("stf.dialect");
  return set === "@" || set === ";" ? set : dialectOf(document.lineCount, (line) => document.lineAt(line).text);
}

/** `noIndent` inserts the sign at the start of the line. The types of the oldest supported VS Code lack it. */
function sign(dialect: Dialect): string {
  return { comment: `${dialect}#`, noIndent: true } as unknown as string;
}
