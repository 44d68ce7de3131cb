import * as vscode from "vscode";
import { Graphs } from "./graph.js";
import type { Run, Shown } from "./result.js";

const SCHEME = "llmblocks-shown";
const SVG = "xml";
const HTML = "html";

/** What a command is about. */
interface About {
  readonly textDocument: { readonly uri: string };
}

/**
 * Shows what the server's commands give: texts in an editor beside the document, graphs and pages in panels.
 *
 * A command from the palette or from a button is about the active editor.
 */
export class ShownResults implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly texts = new Map<string, string>();
  private readonly graphs: Graphs;
  /** By their titles, with the argument of the command that made them. */
  private readonly pages = new Map<string, { readonly panel: vscode.WebviewPanel; readonly about: About }>();
  private readonly registered = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.texts.delete(uri.toString())),
  );

  /** Shape: `script` is that of the graph's page. */
  constructor(script: vscode.Uri) {
    this.graphs = new Graphs(script);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Run a command of the server and show its result. Shape: `name` is the server's name of a document. */
  async run(command: string, args: unknown[], ask: Run, name: (uri: vscode.Uri) => string): Promise<unknown> {
    // a button of the title bar gives what VS Code knows of its editor
    const given = args[0] as Partial<About> | undefined;
    const about = given?.textDocument ? (given as About) : (ofActiveEditor(name) ?? this.ofActivePage());
    if (about === undefined) {
      void vscode.window.showInformationMessage("llmblocks: open a file of one of its languages first.");
      return undefined;
    }
    const format = command.endsWith("Graph") ? { format: "svg" } : command.endsWith("Session") ? { format: "html" } : {};
    const argument = { ...format, ...about };
    try {
      const shown = (await ask(command, [argument])) as Shown | null;
      if (shown?.languageId === HTML) {
        this.page(shown, about);
      } else if (shown?.languageId === SVG) {
        this.graphs.show(shown, argument.textDocument.uri, ask, name);
      } else if (shown !== null) {
        await this.show(shown);
      }
      return shown;
    } catch (error) {
      if (!(error instanceof vscode.CancellationError)) {
        void vscode.window.showErrorMessage(`llmblocks: ${error instanceof Error ? error.message : String(error)}`);
      }
      return undefined;
    }
  }

  dispose(): void {
    this.registered.dispose();
    this.changed.dispose();
    this.graphs.dispose();
    for (const { panel } of this.pages.values()) {
      panel.dispose();
    }
  }

  /** A page that needs nothing but itself: its own policy allows its script and its style only. */
  private page({ title, text }: Shown, about: About): void {
    let panel = this.pages.get(title)?.panel;
    if (panel === undefined) {
      const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      const options = { enableScripts: true, localResourceRoots: [], enableFindWidget: true, retainContextWhenHidden: true };
      panel = vscode.window.createWebviewPanel("llmblocks.session", `Session ${title}`, column, options);
      panel.onDidDispose(() => this.pages.delete(title));
    }
    this.pages.set(title, { panel, about });
    panel.webview.html = text;
    panel.reveal(undefined, true);
  }

  /** The argument of the page that has the focus: it is read again. */
  private ofActivePage(): About | undefined {
    return [...this.pages.values()].find(({ panel }) => panel.active)?.about;
  }

  private async show(shown: Shown): Promise<void> {
    const notes = shown.notes.join(" ");
    if (shown.kind === "message") {
      void vscode.window.showInformationMessage(`${shown.title}: ${shown.text}`);
      return;
    }
    await this.showText(shown);
    if (notes !== "") {
      void vscode.window.showWarningMessage(`${shown.title}: ${notes}`);
    }
  }

  private async showText(shown: Shown): Promise<void> {
    const uri = shown.uri === undefined ? this.kept(shown) : vscode.Uri.parse(shown.uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
  }

  /** The URI of a text that nothing changes. */
  private kept({ title, text, languageId = "plaintext" }: Shown): vscode.Uri {
    const ending = languageId === "json" ? ".json" : languageId === "toml" ? ".toml" : ".txt";
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title.replaceAll(/[\\/:*?"<>|]/g, "_")}${ending}` });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    return uri;
  }
}

/** The argument of a command about the active editor: its document, and the cursor. */
function ofActiveEditor(name: (uri: vscode.Uri) => string): About | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return undefined;
  }
  const { line, character } = editor.selection.active;
  const position = { line, character };
  return { textDocument: { uri: name(editor.document.uri) }, ...{ position } };
}
