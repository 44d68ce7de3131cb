import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import * as readline from "node:readline";
import type { Found } from "./find.js";

const KEPT_LINES = 20;

/** A server's process, its last lines of output and its end. */
export class ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly interpreter: string | undefined;
  /** The reason of its end, for messages. Never rejects. */
  readonly ended: Promise<string>;
  private readonly lines: string[] = [];

  constructor(found: Found, cwd: string, onLine: (line: string) => void) {
    this.interpreter = found.interpreter;
    // not in the workspace: a module there could shadow one of the server's
    this.child = spawn(found.program, found.arguments, { cwd, windowsHide: true });
    const stderr = readline.createInterface({ input: this.child.stderr });
    stderr.on("line", (line) => {
      this.lines.push(line);
      this.lines.splice(0, this.lines.length - KEPT_LINES);
      onLine(line);
    });
    // a failed write to a dead process is reported by its end
    this.child.stdin.on("error", () => undefined);
    this.ended = new Promise((resolve) => {
      this.child.once("error", (error) => resolve(`could not be started: ${error.message}`));
      // "close" comes after the last line of stderr, "exit" may come before it
      this.child.once("close", (code, signal) => resolve(signal === null ? `ended with status ${code}` : `was killed by ${signal}`));
    });
  }

  /** The last lines that it wrote to stderr. */
  get lastWords(): readonly string[] {
    return this.lines;
  }

  /** Wait for the process to end, and kill it if it does not. */
  async gone(patienceMs: number): Promise<void> {
    const timer = setTimeout(() => this.child.kill("SIGKILL"), patienceMs);
    await this.ended;
    clearTimeout(timer);
  }
}
