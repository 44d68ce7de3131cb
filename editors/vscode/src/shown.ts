import * as vscode from "vscode";

const SCHEME = "llmblocks-shown";
const SVG = "xml";

/** The result of one of the server's commands. */
export interface Shown {
  readonly kind: "document" | "message";
  readonly title: string;
  readonly text: string;
  readonly languageId?: string;
  readonly notes: readonly string[];
}

type Run = (command: string, args: unknown[]) => Promise<unknown>;

/**
 * Shows what the server's commands give: texts in an editor beside the document, a graph as a picture.
 *
 * A command from the palette has no argument: it is about the active editor.
 */
export class ShownResults implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly texts = new Map<string, string>();
  private readonly pictures = new Map<string, vscode.WebviewPanel>();
  private readonly registered = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.texts.delete(uri.toString())),
  );

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Run a command of the server and show its result. Shape: `name` is the server's name of a document. */
  async run(command: string, args: unknown[], ask: Run, name: (uri: vscode.Uri) => string): Promise<unknown> {
    const about = args.length > 0 ? (args[0] as { textDocument: { uri: string } }) : ofActiveEditor(name);
    if (about === undefined) {
      void vscode.window.showInformationMessage("llmblocks: open a gadget, STF or custom blocks file first.");
      return undefined;
    }
    const argument = command.endsWith("Graph") ? { format: "svg", ...about } : about;
    try {
      const shown = (await ask(command, [argument])) as Shown;
      await this.show(shown, argument.textDocument.uri);
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
    for (const panel of this.pictures.values()) {
      panel.dispose();
    }
  }

  private async show(shown: Shown, of: string): Promise<void> {
    const notes = shown.notes.join(" ");
    if (shown.kind === "message") {
      void vscode.window.showInformationMessage(`${shown.title}: ${shown.text}`);
      return;
    }
    if (shown.languageId === SVG) {
      this.showPicture(shown, of);
    } else {
      await this.showText(shown);
    }
    if (notes !== "") {
      void vscode.window.showWarningMessage(`${shown.title}: ${notes}`);
    }
  }

  private async showText({ title, text, languageId = "plaintext" }: Shown): Promise<void> {
    const ending = languageId === "json" ? ".json" : languageId === "toml" ? ".toml" : ".txt";
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title.replaceAll(/[\\/:*?"<>|]/g, "_")}${ending}` });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
  }

  private showPicture({ title, text }: Shown, of: string): void {
    const known = this.pictures.get(of);
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = known ?? vscode.window.createWebviewPanel("llmblocks.graph", `Graph of ${title}`, column, {});
    if (known === undefined) {
      this.pictures.set(of, panel);
      panel.onDidDispose(() => this.pictures.delete(of));
    }
    panel.webview.html = page(title, text);
    panel.reveal(undefined, true);
  }
}

/** The argument of a command about the active editor: its document, and the cursor. */
function ofActiveEditor(name: (uri: vscode.Uri) => string): { textDocument: { uri: string } } | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return undefined;
  }
  const { line, character } = editor.selection.active;
  const position = { line, character };
  return { textDocument: { uri: name(editor.document.uri) }, ...{ position } };
}

/** A page with a picture, which runs no script and loads nothing. */
function page(title: string, svg: string): string {
  const image = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  const name = title.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
    <title>${name}</title>
    <style>body { background: #ffffff; } img { max-width: 100%; }</style>
  </head>
  <body><img src="${image}" alt="The calls of ${name}, and what each waits for"></body>
</html>`;
}
