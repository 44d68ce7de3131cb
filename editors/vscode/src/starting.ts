import * as vscode from "vscode";
import type { LANGUAGES } from "./languages.js";

// a program writes a request, a model a completion
type Language = Exclude<(typeof LANGUAGES)[number], "request" | "completion">;

/** The beginning of a new file, a snippet. */
const TEMPLATES: Record<Language, string> = {
  gadget: "!!!GADGET_START:${1:Name}:${2:id}\n!!!ARG:${3:pointer}\n${4:value}\n!!!GADGET_END\n$0",
  stf: "@system\n${1:You answer briefly.}\n@user\n${2:Hello}\n@ai\n$0",
  "custom-blocks": "<think>${1:What the model thinks.}</think>\n$0",
};

/** A response with a mistake, which has a fix. */
const EXAMPLE = `I will write the file. The second filePath below is a mistake: put the cursor on it and press Ctrl+. (Cmd+. on a Mac).

!!!GADGET_START:WriteFile:write_1
!!!ARG:filePath
hello.py
!!!ARG:content
print("hello")
!!!ARG:filePath
hello.py
!!!GADGET_END
`;

export async function newFile(language: Language): Promise<void> {
  const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language }));
  await editor.insertSnippet(new vscode.SnippetString(TEMPLATES[language]));
}

export async function openExample(): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "gadget", content: EXAMPLE }));
}
