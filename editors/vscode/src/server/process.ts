import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import * as readline from "node:readline";
import { type MessageTransports, StreamMessageReader, StreamMessageWriter } from "vscode-languageclient/node";
import { LastWords, type Server, waitOrKill } from "./server.js";

/** The command that starts a server. */
export interface Command {
  readonly program: string;
  readonly arguments: readonly string[];
  /** The program, if it is a Python. */
  readonly interpreter?: string;
}

function reasonOf(error: NodeJS.ErrnoException): string {
  return error.code === "ENOENT" ? "there is no such program" : error.code === "EACCES" ? "it may not be run" : error.message;
}

/** A server's process, its last lines of output and its end. */
export class ServerProcess implements Server {
  readonly interpreter: string | undefined;
  readonly ended: Promise<string>;
  readonly clientPid = process.pid;
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly output: LastWords;

  constructor(command: Command, cwd: string, onLine: (line: string) => void) {
    this.interpreter = command.interpreter;
    this.output = new LastWords(onLine);
    // not in the workspace: a module there could shadow one of the server's
    this.child = spawn(command.program, command.arguments, { cwd, windowsHide: true });
    readline.createInterface({ input: this.child.stderr }).on("line", (line) => this.output.take(line));
    // a failed write to a dead process is reported by its end
    this.child.stdin.on("error", () => undefined);
    this.ended = new Promise((resolve) => {
      this.child.once("error", (error) => resolve(`could not be started: ${reasonOf(error)}`));
      // "close" comes after the last line of stderr, "exit" may come before it
      this.child.once("close", (code, signal) => resolve(signal === null ? `ended with status ${code}` : `was killed by ${signal}`));
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get name(): string {
    return `process ${this.pid}`;
  }

  get lastWords(): readonly string[] {
    return this.output.lines;
  }

  connect(): Promise<MessageTransports> {
    const { stdout, stdin } = this.child;
    return Promise.resolve({ reader: new StreamMessageReader(stdout), writer: new StreamMessageWriter(stdin), detached: true });
  }

  kill(): void {
    this.child.kill("SIGKILL");
  }

  gone(patienceMs: number): Promise<void> {
    return waitOrKill(this.ended, patienceMs, () => this.kill());
  }
}
