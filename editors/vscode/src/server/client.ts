import {
  BaseLanguageClient,
  CloseAction,
  type DocumentFilter,
  ErrorAction,
  type InitializeParams,
  type DynamicFeature,
  type LanguageClientOptions,
  type MessageTransports,
  type StaticFeature,
} from "vscode-languageclient";
import * as vscode from "vscode";
import { END_WITH_LF, tellWhatWasFixed } from "../fixing.js";
import { LANGUAGES } from "../languages.js";
import { given, read, SECTION } from "../settings.js";
import type { ShownResults } from "../shown.js";
import { completeSettings, FILES, TRIGGERS } from "../toml/completion.js";
import { applyWhileTyping } from "../typing.js";
import type { Server } from "./server.js";

const OURS = LANGUAGES.map((language) => ({ language }));
/** VS Code paints with one provider: ours would hide that of the language. Grammars colour its strings. */
const PAINTED = [...OURS, ...["markdown", "mdx", "jsonl"].map((language) => ({ language }))];
/** Beside another formatter, VS Code would ask people which one to use: there is none of ours in documents of others. */
const FORMATTING: ReadonlySet<string> = new Set(["textDocument/formatting", "textDocument/rangeFormatting"]);
/** The documents of others in which ends are written. Of code, the one provider that VS Code asks is that of the language. */
const MARKDOWN: ReadonlySet<string> = new Set(["markdown", "mdx"]);
const ON_TYPE = "textDocument/onTypeFormatting";

/** What the files of settings have, too: an empty answer to anything else would hide what VS Code knows by itself. */
const OF_ALL = /^(?!textDocument\/)|\/(?:did\w+|hover)$/;

/** A client that shows no messages: the supervisor shows them. It runs in Node and in browsers. */
export class Client extends BaseLanguageClient {
  constructor(
    private readonly server: Server,
    settings: readonly string[],
    shown: ShownResults,
    log: vscode.LogOutputChannel,
  ) {
    super(SECTION, "llmblocks", options(server, settings, shown, log));
  }

  protected override createMessageTransports(): Promise<MessageTransports> {
    return this.server.connect();
  }

  protected override fillInitializeParams(params: InitializeParams): void {
    super.fillInitializeParams(params);
    params.processId = this.server.clientPid;
  }

  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    const method = "registrationType" in feature ? feature.registrationType.method : "";
    const initialize = feature.initialize.bind(feature);
    if (method === "textDocument/completion") {
      feature.initialize = (capabilities) => {
        initialize(capabilities, texts());
        initialize({ ...capabilities, completionProvider: { ...capabilities.completionProvider, triggerCharacters: TRIGGERS } }, FILES);
      };
    } else if (!OF_ALL.test(method)) {
      const only = FORMATTING.has(method) ? OURS : method.startsWith("textDocument/semanticTokens") ? PAINTED : texts(method === ON_TYPE ? MARKDOWN : undefined);
      feature.initialize = (capabilities) => initialize(capabilities, only);
    }
    super.registerFeature(feature);
  }

  override start(): Promise<void> {
    // it comes with the server's output, too
    this.onNotification("window/logMessage", () => undefined);
    return super.start();
  }

  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** The documents with texts of ours, or with those of some languages alone. */
function texts(only?: ReadonlySet<string>): DocumentFilter[] {
  const others = read().embeddedIn.filter((language) => only?.has(language) ?? true);
  return [...OURS, ...others.map((language) => ({ language }))];
}

function options(
  server: Server,
  settings: readonly string[],
  shown: ShownResults,
  log: vscode.LogOutputChannel,
): LanguageClientOptions {
  return {
    documentSelector: [...texts(), ...FILES],
    outputChannel: log,
    // pushed findings carry their version; a pull that is cancelled during typing would clear them
    initializationOptions: {
      diagnostics: { delivery: given(settings)["diagnostics.delivery"] ?? "push" },
      // a model that the settings of a workspace name is imported, which runs its module
      trusted: vscode.workspace.isTrusted,
      // ends that are inserted at the caret come after it
      keepsCaret: true,
      // nothing is underlined on the line that is being typed
      calmTyping: true,
      commands: ["editor.action.triggerSuggest", END_WITH_LF],
    },
    middleware: {
      provideOnTypeFormattingEdits: applyWhileTyping,
      provideCodeActions: tellWhatWasFixed,
      ...completeSettings(),
      workspace: {
        configuration: (asked) => asked.items.map(({ section }) => (section === SECTION ? given(settings) : null)),
        ...server.workspaceMiddleware,
      },
      executeCommand: (command, args, next) => {
        const ask = async (name: string, given: unknown[]): Promise<unknown> => {
          const options = { location: vscode.ProgressLocation.Window, title: `llmblocks: ${titleOf(name)}` };
          return vscode.window.withProgress(options, async () => next(name, given));
        };
        return shown.run(command, args, ask, server.uriConverters?.code2Protocol ?? String);
      },
    },
    markdown: { supportHtml: false, isTrusted: false },
    ...(server.uriConverters === undefined ? {} : { uriConverters: server.uriConverters }),
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
    },
    initializationFailedHandler: () => false,
  };
}

/** The title of a command in the palette. */
function titleOf(command: string): string {
  const manifest = vscode.extensions.getExtension("llmblocks.llmblocks")?.packageJSON as Manifest | undefined;
  return manifest?.contributes.commands.find((each) => each.command === command)?.title ?? command;
}

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string; readonly title: string }[] };
}
