// Answers questions about the editor from inside it: one JSON object a line over a Unix socket in HOME.
const fs = require("node:fs");
const net = require("node:net");
const os = require("node:os");
const path = require("node:path");
const readline = require("node:readline");
const vscode = require("vscode");

const NAME = "llmblocks.llmblocks";
const uri = (file) => (file.startsWith("/") ? vscode.Uri.file(file) : vscode.Uri.parse(file));
const at = ([line, col]) => new vscode.Position(line, col);
const span = (range) => [range.start.line, range.start.character, range.end.line, range.end.character];
const document = (file) => vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri(file).toString());

/** Resolve with the first value of `look` that is not undefined, looking again at every event of `sources`. */
function until(look, sources, timeoutMs, what) {
  return new Promise((resolve, reject) => {
    const subscriptions = [];
    const end = (settle, value) => {
      clearTimeout(timer);
      for (const subscription of subscriptions) subscription.dispose();
      settle(value);
    };
    const timer = setTimeout(() => end(reject, new Error(`${what()} after ${timeoutMs} ms`)), timeoutMs);
    const check = () => {
      const value = look();
      if (value !== undefined) end(resolve, value);
    };
    for (const source of sources) subscriptions.push(source(check));
    check();
  });
}

/** Ask again and again, for what the editor computes late and tells nobody of. */
async function asked(ask, timeoutMs, what) {
  const end = Date.now() + timeoutMs;
  let last;
  while (Date.now() < end) {
    last = await ask();
    if (last !== undefined && (!Array.isArray(last) || last.length > 0)) return last;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what}: still ${JSON.stringify(last)} after ${timeoutMs} ms`);
}

const diagnosticsOf = (file) =>
  vscode.languages.getDiagnostics(uri(file)).map((one) => ({
    code: String(typeof one.code === "object" ? one.code.value : one.code),
    href: typeof one.code === "object" ? one.code.target.toString() : "",
    message: one.message,
    severity: vscode.DiagnosticSeverity[one.severity],
    source: one.source,
    range: span(one.range),
    text: document(file)?.getText(one.range) ?? null,
    related: (one.relatedInformation ?? []).map((other) => ({ message: other.message, range: span(other.location.range) })),
  }));

const outline = (one) => [one.name, (one.children ?? []).map(outline)];
const SHAPES = {
  outline,
  links: (one) => one.target?.toString() ?? "",
  places: (one) => [path.basename((one.uri ?? one.targetUri).fsPath), ...span(one.range ?? one.targetRange)],
};

const labels = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));

const methods = {
  async open({ file, language }) {
    let opened = await vscode.workspace.openTextDocument(uri(file));
    if (language) opened = await vscode.languages.setTextDocumentLanguage(opened, language);
    await vscode.window.showTextDocument(opened, { preview: false });
    return { language: opened.languageId, text: opened.getText() };
  },
  async untitled({ language, text }) {
    const opened = await vscode.workspace.openTextDocument({ language, content: text });
    await vscode.window.showTextDocument(opened, { preview: false });
    return opened.uri.toString();
  },
  active() {
    const { uri, languageId, getText } = vscode.window.activeTextEditor.document;
    return { file: uri.toString(), language: languageId, text: getText() };
  },
  text: ({ file }) => document(file)?.getText(),
  /** Wait until a file's text is this. */
  textBecomes: ({ file, text, timeout = 90_000 }) =>
    until(
      () => (document(file)?.getText() === text ? text : undefined),
      [vscode.workspace.onDidChangeTextDocument],
      timeout,
      () => `wanted ${JSON.stringify(text)}, there is ${JSON.stringify(document(file)?.getText())}`,
    ),
  /** Wait until a file's text and the offset of the caret are one of these; without any, say what they are. */
  stands({ file, outcomes, timeout = 90_000 }) {
    const now = () => {
      const editor = vscode.window.visibleTextEditors.find((one) => one.document === document(file));
      return [editor?.document.getText(), editor?.document.offsetAt(editor.selection.active)];
    };
    const isOne = (found) => outcomes.some((each) => JSON.stringify(each) === JSON.stringify(found));
    const sources = [vscode.window.onDidChangeTextEditorSelection, vscode.workspace.onDidChangeTextDocument];
    return outcomes === undefined ? now() : until(() => (isOne(now()) ? now() : undefined), sources, timeout, () => JSON.stringify(now()));
  },
  /** Wait until a file's text holds a part. */
  holds: ({ file, part, timeout = 90_000 }) => {
    const text = () => document(file).getText();
    const isThere = () => text().replaceAll("\r\n", "\n").includes(part);
    return until(() => (isThere() ? true : undefined), [vscode.workspace.onDidChangeTextDocument], timeout, text);
  },
  /** Undo until the text is this one; if it does not get there, give what it was each time. */
  async undone({ file, text, most = 200 }) {
    const seen = [];
    while (document(file).getText() !== text && seen.length < most) {
      seen.push(document(file).getText());
      await vscode.commands.executeCommand("undo");
    }
    return document(file).getText() === text ? [] : seen;
  },
  async cursor({ file, position }) {
    const editor = await vscode.window.showTextDocument(document(file), { preview: false });
    editor.selection = new vscode.Selection(at(position), at(position));
    editor.revealRange(editor.selection);
    await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
  },
  /** Wait until the codes of a file's diagnostics are these. */
  diagnostics: ({ file, codes, timeout = 90_000 }) =>
    until(
      () => {
        const found = diagnosticsOf(file);
        const same = JSON.stringify(found.map((one) => one.code).sort()) === JSON.stringify([...codes].sort());
        return same ? found : undefined;
      },
      [vscode.languages.onDidChangeDiagnostics],
      timeout,
      () => `wanted ${JSON.stringify(codes)}, there are ${JSON.stringify(diagnosticsOf(file))}`,
    ),
  /** Wait until there are diagnostics, whatever they are. */
  anyDiagnostics: ({ file, timeout = 90_000 }) =>
    until(
      () => (diagnosticsOf(file).length > 0 ? diagnosticsOf(file) : undefined),
      [vscode.languages.onDidChangeDiagnostics],
      timeout,
      () => "no diagnostics",
    ),
  hover: ({ file, position, timeout = 90_000 }) =>
    asked(
      async () => {
        const found = await vscode.commands.executeCommand("vscode.executeHoverProvider", uri(file), at(position));
        return found.flatMap((one) => one.contents.map((part) => (typeof part === "string" ? part : part.value)));
      },
      timeout,
      "hover",
    ),
  completions: ({ file, position, timeout = 90_000 }) =>
    asked(
      async () => {
        const found = await vscode.commands.executeCommand("vscode.executeCompletionItemProvider", uri(file), at(position));
        return found.items
          // words of the document and snippets are VS Code's own
          .filter((one) => one.kind !== vscode.CompletionItemKind.Text && one.kind !== vscode.CompletionItemKind.Snippet)
          .map((one) => (typeof one.label === "string" ? one.label : one.label.label));
      },
      timeout,
      "completions",
    ),
  /** The same, at once: there may be none. */
  async now({ file, position }) {
    const found = await vscode.commands.executeCommand("vscode.executeCompletionItemProvider", uri(file), at(position));
    return found.items.filter((one) => one.kind !== vscode.CompletionItemKind.Text).map((one) => one.label.label ?? one.label);
  },
  /** The titles of the quick fixes of a range. */
  fixes: ({ file, range: [line, start, lastLine, end], timeout = 90_000 }) =>
    asked(
      async () => {
        const range = new vscode.Range(line, start, lastLine, end);
        const kind = vscode.CodeActionKind.QuickFix.value;
        try {
          const found = await vscode.commands.executeCommand("vscode.executeCodeActionProvider", uri(file), range, kind);
          return found.map((one) => one.title);
        } catch (error) {
          // the server of another extension may still start
          if (error.message !== "Canceled") throw error;
        }
      },
      timeout,
      "quick fixes",
    ),
  async semanticTokens({ file, timeout = 90_000 }) {
    const legend = await asked(
      () => vscode.commands.executeCommand("vscode.provideDocumentSemanticTokensLegend", uri(file)),
      timeout,
      "legend",
    );
    const tokens = await vscode.commands.executeCommand("vscode.provideDocumentSemanticTokens", uri(file));
    return { types: legend.tokenTypes, data: tokens ? [...tokens.data] : [] };
  },
  /** Wait until a text is shown in an editor beside others. */
  beside: ({ language, part, timeout = 90_000 }) =>
    until(
      () =>
        vscode.window.visibleTextEditors
          .filter((one) => one.viewColumn > 1 && one.document.languageId === language)
          .map((one) => one.document.getText())
          .find((text) => text.includes(part)),
      [vscode.window.onDidChangeVisibleTextEditors, vscode.workspace.onDidChangeTextDocument],
      timeout,
      () => `no ${language} with ${part} beside`,
    ),
  /** Wait until there is a tab with this label. */
  tab: ({ label, timeout = 90_000 }) => {
    const found = () => labels().find((one) => one === label);
    return until(found, [vscode.window.tabGroups.onDidChangeTabs], timeout, () => `no ${label} in ${labels()}`);
  },
  /** Wait until there is none. */
  noTab: ({ label, timeout = 90_000 }) => {
    const isGone = () => (labels().includes(label) ? undefined : true);
    return until(isGone, [vscode.window.tabGroups.onDidChangeTabs], timeout, () => `${label} in ${labels()}`);
  },
  tabs: async () => labels(),
  /** Close all editors, and save nothing. */
  async closeAll() {
    for (let at = 0; at < 50 && labels().length > 0; at++) {
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    }
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.commands.executeCommand("workbench.action.closePanel");
  },
  /** What a provider of the editor answers, as plain JSON; `shape` is one of those below. */
  provided: ({ provider, shape, file, rest = [], timeout = 90_000 }) =>
    asked(
      async () => {
        const found = await vscode.commands.executeCommand(`vscode.execute${provider}`, uri(file), ...rest.map((each) => (Array.isArray(each) ? at(each) : each)));
        return (found ?? []).map(SHAPES[shape]);
      },
      timeout,
      provider,
    ),
  /** Wait until the cursor is at a place. */
  cursorBecomes: ({ position, timeout = 90_000 }) => {
    const place = () => [vscode.window.activeTextEditor?.selection.active.line, vscode.window.activeTextEditor?.selection.active.character];
    const found = () => (JSON.stringify(place()) === JSON.stringify(position) ? place() : undefined);
    const sources = [vscode.window.onDidChangeTextEditorSelection, vscode.window.onDidChangeActiveTextEditor];
    return until(found, sources, timeout, () => `wanted ${position}, is ${place()}`);
  },
  lenses: ({ file, timeout = 90_000 }) =>
    asked(
      async () => {
        const found = await vscode.commands.executeCommand("vscode.executeCodeLensProvider", uri(file), 100);
        return found.map((one) => one.command?.title ?? "");
      },
      timeout,
      "code lenses",
    ),
  command: ({ name, arguments: given = [] }) =>
    vscode.commands.executeCommand(name, ...given).then((value) => (value === undefined ? null : String(value))),
  /** Begin a command that asks the user something. */
  begin({ name }) {
    void vscode.commands.executeCommand(name);
  },
  setting: ({ section }) => vscode.workspace.getConfiguration().inspect(section)?.globalValue,
  state: () => vscode.extensions.getExtension(NAME)?.exports?.state() ?? null,
  /** The state once VS Code itself has activated the extension. */
  activated: ({ timeout = 90_000 }) => asked(async () => methods.state() ?? undefined, timeout, "activation"),
  /** How many edits the formatters of a document make. */
  async formatted({ file }) {
    const edits = await vscode.commands.executeCommand("vscode.executeFormatDocumentProvider", uri(file), { tabSize: 2, insertSpaces: true });
    return (edits ?? []).length;
  },
  /** What a renaming at a place changes: files, each with places. */
  async renamed({ file, position, name }) {
    const edit = await vscode.commands.executeCommand("vscode.executeDocumentRenameProvider", uri(file), at(position), name);
    return edit.entries().map(([one, edits]) => [path.basename(one.fsPath), edits.map(({ range }) => span(range))]);
  },
  /** Wait until the server's state is of this kind, and of another process than one that is named. */
  async running({ kind = "running", unlike = 0, timeout = 90_000 }) {
    const api = await vscode.extensions.getExtension(NAME).activate();
    return until(
      () => (api.state().kind === kind && api.state().pid !== unlike ? api.state() : undefined),
      [api.onDidChangeState],
      timeout,
      () => `wanted ${kind}, is ${JSON.stringify(api.state())}`,
    );
  },
  /** Note every state from now on. */
  async watch() {
    const api = await vscode.extensions.getExtension(NAME).activate();
    const seen = [];
    api.onDidChangeState((state) => seen.push(state));
    watched = seen;
  },
  watched: () => watched,
  async configure({ section, value }) {
    await vscode.workspace.getConfiguration().update(section, value ?? undefined, vscode.ConfigurationTarget.Global);
  },
  trusted: () => vscode.workspace.isTrusted,
  folders: () => (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
};
let watched = [];

exports.activate = (context) => {
  const socket = path.join(os.homedir(), "probe.sock");
  fs.rmSync(socket, { force: true });
  const server = net.createServer((connection) => {
    readline.createInterface({ input: connection }).on("line", async (line) => {
      const { method, params } = JSON.parse(line);
      let answer;
      try {
        answer = { result: (await methods[method](params ?? {})) ?? null };
      } catch (error) {
        answer = { error: error.message };
      }
      connection.write(`${JSON.stringify(answer)}\n`);
    });
    connection.on("error", () => undefined);
  });
  server.listen(socket);
  context.subscriptions.push({ dispose: () => server.close() });
};
