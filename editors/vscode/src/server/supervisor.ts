import type * as vscode from "vscode";
import { writeLine } from "../log.js";
import { noPython, stoppedForGood, wrongCommand } from "../messages.js";
import { read } from "../settings.js";
import type { ShownResults } from "../shown.js";
import { StateHolder } from "../state.js";
import { Client } from "./client.js";
import { RestartPolicy } from "./restart.js";
import { type Find, refused, type Server } from "./server.js";

const PATIENCE_MS = 3_000;

interface Run {
  readonly server: Server;
  readonly client: Client;
  /** The setting that names the command, if one does. */
  readonly setting: string | undefined;
  /** Whether it has answered. */
  answered: boolean;
}

/** Keeps one server running, from its first start to the end of the extension. */
export class Supervisor {
  readonly state = new StateHolder();
  private readonly policy = new RestartPolicy();
  private run: Run | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Starts and stops, one after the other. */
  private queue: Promise<void> = Promise.resolve();

  constructor(
    private readonly find: Find,
    private readonly settings: readonly string[],
    private readonly shown: ShownResults,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** The Python that runs the server. */
  get interpreter(): string | undefined {
    return this.run?.server.interpreter;
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
      run.server.kill();
    }
  }

  private inTurn(step: () => Promise<void>): Promise<void> {
    clearTimeout(this.timer);
    this.queue = this.queue.then(step).catch((error: unknown) => this.log.error(error instanceof Error ? error : String(error)));
    return this.queue;
  }

  private async begin(): Promise<void> {
    this.state.set({ kind: "starting" });
    const found = await this.find(read());
    if (!("start" in found)) {
      const why = refused(found);
      this.log.error(`no usable Python: ${why}`);
      this.state.set({ kind: "no-python", why });
      noPython(why);
      return;
    }
    this.log.info(`starting ${found.origin} (${found.because}): ${found.what}`);
    const server = found.start((line) => writeLine(this.log, line));
    const run: Run = { server, client: new Client(server, this.settings, this.shown, this.log), setting: found.setting, answered: false };
    this.run = run;
    const ended = server.ended.then((how) => this.died(run, how));
    // if the server dies before its first answer, the client never settles
    await Promise.race([run.client.start().catch((error: unknown) => this.failed(run, error)), ended]);
    if (this.run === run && run.client.isRunning()) {
      const version = run.client.initializeResult?.serverInfo?.version ?? "unknown version";
      run.answered = true;
      this.log.info(`running llmblocks ${version}, ${server.name}`);
      this.state.set({ kind: "running", version, origin: found.origin, because: found.because, pid: server.pid });
    }
  }

  private failed(run: Run, error: unknown): void {
    this.log.error(`the server did not start: ${error instanceof Error ? error.message : String(error)}`);
    run.server.kill();
  }

  private async end(): Promise<void> {
    const run = this.run;
    this.run = undefined;
    if (run !== undefined) {
      await run.client.dispose(PATIENCE_MS).catch(() => undefined);
      await run.server.gone(PATIENCE_MS);
    }
  }

  /** Called when a server has ended. One that was stopped on purpose is no longer `run`. */
  private died(run: Run, how: string): void {
    if (this.run !== run) {
      return;
    }
    this.run = undefined;
    void run.client.dispose().catch(() => undefined);
    const lastWords = run.server.lastWords;
    this.log.error(`the server ${how}${lastWords.length > 0 ? `; its last output:\n${lastWords.join("\n")}` : ""}`);
    if (run.setting !== undefined && !run.answered) {
      // what is named wrongly stays wrong
      this.state.set({ kind: "stopped", why: how, lastWords });
      wrongCommand(run.setting, how, lastWords, () => void this.restart());
      return;
    }
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
