import * as vscode from "vscode";
import { CODE, EMBEDDED, LANGUAGES } from "./languages.js";
import { read, SECTION } from "./settings.js";
import type { StateHolder } from "./state.js";

/** What begins a text of ours in a document of another language. A cheap look: the server reads the document. */
const FENCE = new RegExp(`(?:\`\`\`|~~~)[ \\t]*(?:llmblocks|${EMBEDDED.join("|")})`, "i");
const COMMENT = new RegExp(`(?:#|//|/\\*)[ \\t]*llmblocks:|/\\*[ \\t]*(?:${EMBEDDED.join("|")})[ \\t]*\\*/`);
const LOOKS: Readonly<Record<string, RegExp>> = {
  markdown: FENCE,
  mdx: FENCE,
  ...Object.fromEntries(CODE.map((language) => [language, COMMENT])),
  // what forms of data sets call their messages, and calls
  jsonl: /"(?:messages|conversations)"\s*:|!!!GADGET_START:/,
};
/** The settings that name strings of ours; in a settings file, their table or one around it. */
const STRINGS = ["files.code", "files.strings", "files.datasets"];
const TABLE = /\bfiles\.(?:code|strings|datasets)\b|^\s*\[(?:tool\.llmblocks\.)?files\]/m;
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
  const lookForStrings = async (): Promise<void> => {
    const isThere = vscode.workspace.textDocuments.some(({ languageId }) => canHoldStrings(languageId));
    startIf(isThere && (await namesStrings()));
  };
  const waiting = vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument((document) => {
      startIf(isForServer(document));
      if (canHoldStrings(document.languageId)) {
        void lookForStrings();
      }
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
      startIf(contentChanges.some(({ range, text }) => holds(document, document.lineAt(range.start).text + text))),
    ),
  );
  void lookForStrings();
  return waiting;
}

/** Whether strings of documents are ours by their names or places. */
function canHoldStrings(languageId: string): boolean {
  return languageId in LOOKS && LOOKS[languageId] !== FENCE && read().embeddedIn.includes(languageId);
}

/** Whether settings name strings: those of VS Code, or a settings file at the top of a folder. */
async function namesStrings(): Promise<boolean> {
  const section = vscode.workspace.getConfiguration(SECTION);
  if (STRINGS.some((key) => Object.keys(section.get<object>(key) ?? {}).length > 0)) {
    return true;
  }
  const files = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
    ["llmblocks.toml", "pyproject.toml"].map((name) => vscode.Uri.joinPath(uri, name)),
  );
  const texts = await Promise.allSettled(files.map((file) => vscode.workspace.fs.readFile(file)));
  return texts.some((text) => text.status === "fulfilled" && TABLE.test(new TextDecoder().decode(text.value)));
}

function isForServer(document: vscode.TextDocument): boolean {
  return OURS.has(document.languageId) || holds(document, document.getText());
}

/** Whether a part of a document looks as if it held a text of ours. */
function holds({ languageId }: vscode.TextDocument, part: string): boolean {
  return LOOKS[languageId]?.test(part) === true && read().embeddedIn.includes(languageId);
}
