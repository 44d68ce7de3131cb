import * as vscode from "vscode";
import { EMBEDDED, LANGUAGES } from "./languages.js";
import { read } from "./settings.js";
import type { StateHolder } from "./state.js";

/** What begins a text of ours in a document of another language. A cheap look: the server reads the document. */
const FENCE = new RegExp(`(?:\`\`\`|~~~)[ \\t]*(?:llmblocks|${EMBEDDED.join("|")})`, "i");
const LOOKS: Readonly<Record<string, RegExp>> = { markdown: FENCE, mdx: FENCE };
/** Those that are the server's as a whole; settings are TOML. */
const OURS: ReadonlySet<string> = new Set([...LANGUAGES, "toml"]);

/** Start the server: at once, or where the extension is here for documents of other languages, once one has a text of ours. */
export function startOnceNeeded(state: StateHolder, start: () => void): vscode.Disposable {
  const documents = vscode.workspace.textDocuments;
  if (documents.some(isForServer) || !documents.some(({ languageId }) => languageId in LOOKS)) {
    start();
    return vscode.Disposable.from();
  }
  const startIf = (isNeeded: boolean): void => {
    if (isNeeded) {
      waiting.dispose();
      // a command may have been faster
      if (state.current.kind === "off") {
        start();
      }
    }
  };
  const waiting = vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument((document) => startIf(isForServer(document))),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
      startIf(contentChanges.some(({ range, text }) => holds(document, document.lineAt(range.start).text + text))),
    ),
  );
  return waiting;
}

function isForServer(document: vscode.TextDocument): boolean {
  return OURS.has(document.languageId) || holds(document, document.getText());
}

/** Whether a part of a document looks as if it held a text of ours. */
function holds({ languageId }: vscode.TextDocument, part: string): boolean {
  return LOOKS[languageId]?.test(part) === true && read().embeddedIn.includes(languageId);
}
