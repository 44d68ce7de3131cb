import type * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { noPython, stoppedForGood } from "../messages.js";
import { read } from "../settings.js";
import type { ShownResults } from "../shown.js";
import { StateHolder } from "../state.js";
import { createClient } from "./client.js";
import { findServer, type Folders } from "./find.js";
import { ServerProcess } from "./process.js";
import { RestartPolicy } from "./restart.js";

const PATIENCE_MS = 3_000;

interface Run {
  readonly process: ServerProcess;
  readonly client: LanguageClient;
}

/** Keeps one server running, from its first start to the end of the extension. */
export class Supervisor {
  readonly state = new StateHolder();
  private readonly policy = new RestartPolicy();
  private run: Run | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** Starts and stops, one after the other. */
  private queue: Promise<void> = Promise.resolve();

  constructor(
    private readonly folders: Folders,
    private readonly settings: readonly string[],
    private readonly shown: ShownResults,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** The Python that runs the server. */
  get interpreter(): string | undefined {
    return this.run?.process.interpreter;
  }

  /** Have the server read a settings file again. */
  reportFile(uri: vscode.Uri): void {
    const changes = [{ uri: uri.toString(), type: 2 }];
    void this.run?.client.sendNotification("workspace/didChangeWatchedFiles", { changes }).catch(() => undefined);
  }

  /** Start or restart at the user's request, and forget earlier crashes. */
  restart(): Promise<void> {
    this.policy.forget();
    this.abandonStart();
    return this.inTurn(async () => {
      await this.end();
      await this.begin();
    });
  }

  stop(): Promise<void> {
    this.abandonStart();
    return this.inTurn(async () => {
      await this.end();
      this.state.set({ kind: "off" });
    });
  }

  /** A server that never answers must not keep the next one waiting. */
  private abandonStart(): void {
    const run = this.run;
    if (run !== undefined && this.state.current.kind === "starting") {
      this.run = undefined;
      void run.client.dispose().catch(() => undefined);
      run.process.child.kill("SIGKILL");
    }
  }

  private inTurn(step: () => Promise<void>): Promise<void> {
    clearTimeout(this.timer);
    this.queue = this.queue.then(step).catch((error: unknown) => this.log.error(error instanceof Error ? error : String(error)));
    return this.queue;
  }

  private async begin(): Promise<void> {
    this.state.set({ kind: "starting" });
    const found = await findServer(read(), this.folders);
    if (Array.isArray(found)) {
      const why = found.map(({ candidate, reason }) => `${candidate}: ${reason}`).join("; ") || "none is on PATH";
      this.log.error(`no usable Python: ${why}`);
      this.state.set({ kind: "no-python", why });
      noPython(why);
      return;
    }
    this.log.info(`starting ${found.origin}, found through ${found.through}: ${[found.program, ...found.arguments].join(" ")}`);
    const process = new ServerProcess(found, this.folders.extension.fsPath, (line) => this.log.warn(line));
    const run: Run = { process, client: createClient(process, this.settings, this.shown, this.log) };
    this.run = run;
    const ended = process.ended.then((how) => this.died(run, how));
    // if the server dies before its first answer, the client never settles
    await Promise.race([run.client.start().catch((error: unknown) => this.failed(run, error)), ended]);
    if (this.run === run && run.client.isRunning()) {
      const version = run.client.initializeResult?.serverInfo?.version ?? "unknown version";
      this.log.info(`running llmblocks ${version}, process ${process.child.pid}`);
      this.state.set({ kind: "running", version, origin: found.origin, pid: process.child.pid ?? 0 });
    }
  }

  private failed(run: Run, error: unknown): void {
    this.log.error(`the server did not start: ${error instanceof Error ? error.message : String(error)}`);
    run.process.child.kill();
  }

  private async end(): Promise<void> {
    const run = this.run;
    this.run = undefined;
    if (run !== undefined) {
      await run.client.dispose(PATIENCE_MS).catch(() => undefined);
      await run.process.gone(PATIENCE_MS);
    }
  }

  /** Called when a process has ended. A process that was stopped on purpose is no longer `run`. */
  private died(run: Run, how: string): void {
    if (this.run !== run) {
      return;
    }
    this.run = undefined;
    void run.client.dispose().catch(() => undefined);
    const lastWords = run.process.lastWords;
    this.log.error(`the server ${how}${lastWords.length > 0 ? `; its last output:\n${lastWords.join("\n")}` : ""}`);
    const pauseMs = this.policy.died(Date.now());
    if (pauseMs === undefined) {
      this.state.set({ kind: "stopped", why: how, lastWords });
      stoppedForGood(how, lastWords, () => void this.restart());
      return;
    }
    this.state.set({ kind: "waiting", pauseMs, why: how });
    this.timer = setTimeout(() => void this.inTurn(() => this.begin()), pauseMs);
  }
}
