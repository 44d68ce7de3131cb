import type { LanguageClientOptions, MessageTransports, Middleware } from "vscode-languageclient";
import type { Settings } from "../settings.js";

/** A running server: a process or a worker. */
export interface Server {
  /** The number of the process or worker. */
  readonly pid: number;
  /** What it is and its number, for the log. */
  readonly name: string;
  /** The Python that runs it. */
  readonly interpreter?: string | undefined;
  /** The reason of its end, for messages. Never rejects. */
  readonly ended: Promise<string>;
  /** Its last lines of output. */
  readonly lastWords: readonly string[];
  /** The process of the client, for a server that watches it. */
  readonly clientPid: number | null;
  /** How the client speaks to this one. */
  readonly uriConverters?: LanguageClientOptions["uriConverters"];
  readonly workspaceMiddleware?: Middleware["workspace"];
  /** The messages from and to it, as soon as it takes any. */
  connect(): Promise<MessageTransports>;
  kill(): void;
  /** Wait for its end, and kill it if it does not come. */
  gone(patienceMs: number): Promise<void>;
}

/** A server that can be started. */
export interface Launch {
  /** The server and what runs it, for messages. */
  readonly origin: string;
  /** The reason why it is this one. */
  readonly because: string;
  /** The command or the files, for the log. */
  readonly what: string;
  readonly start: (onLine: (line: string) => void) => Server;
  /** The setting that names the command, if one does. */
  readonly setting?: string;
}

/** A candidate and the reason why it was rejected. */
export interface Refusal {
  readonly candidate: string;
  readonly reason: string;
}

/** The rejected candidates in words. */
export function refused(candidates: readonly Refusal[]): string {
  return candidates.map(({ candidate, reason }) => `${candidate}: ${reason}`).join("; ") || "none is on PATH";
}

/** Finds the server for the settings, or returns the rejected interpreters. */
export type Find = (settings: Settings) => Promise<Launch | readonly Refusal[]>;

const KEPT_LINES = 20;

/** The last lines of a server's output. */
export class LastWords {
  readonly lines: string[] = [];

  constructor(private readonly onLine: (line: string) => void) {}

  take(line: string): void {
    this.lines.push(line);
    this.lines.splice(0, this.lines.length - KEPT_LINES);
    this.onLine(line);
  }
}

/** Wait for an end, and force it after a while. */
export async function waitOrKill(ended: Promise<string>, patienceMs: number, kill: () => void): Promise<void> {
  const timer = setTimeout(kill, patienceMs);
  await ended;
  clearTimeout(timer);
}
