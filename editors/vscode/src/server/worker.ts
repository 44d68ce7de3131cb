import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  type LanguageClientOptions,
  type Message,
  type MessageReader,
  type MessageTransports,
  type MessageWriter,
  type Middleware,
} from "vscode-languageclient";
import { LastWords, type Server, waitOrKill } from "./server.js";

/** A worker, in Node or in a browser. */
export interface Port {
  readonly pid: number;
  post(message: unknown): void;
  onMessage(take: (message: unknown) => void): void;
  onLine(take: (line: string) => void): void;
  onEnd(take: (how: string) => void): void;
  terminate(): void;
}

/** What the worker says beside the messages of the protocol. */
interface Control {
  readonly progress?: { readonly fraction: number; readonly text: string };
  readonly ready?: { readonly seconds: number };
  readonly failed?: string;
}

/** How the client of a worker differs from that of a process. */
export interface Differences {
  readonly uriConverters?: LanguageClientOptions["uriConverters"];
  readonly workspaceMiddleware?: Middleware["workspace"];
  /** What the server is given before the first message of the client. */
  readonly prepare?: () => Promise<void>;
}

/** The server in WebAssembly, in a worker: its last lines of output and its end. */
export class ServerWorker implements Server {
  readonly ended: Promise<string>;
  readonly clientPid = null;
  readonly uriConverters: LanguageClientOptions["uriConverters"];
  readonly workspaceMiddleware: Middleware["workspace"];
  private readonly ready: Promise<void>;
  private readonly output: LastWords;
  private readonly reader = new PortReader();
  private end: (how: string) => void = () => undefined;

  constructor(
    private readonly port: Port,
    start: Promise<object>,
    differences: Differences,
    onLine: (line: string) => void,
  ) {
    this.uriConverters = differences.uriConverters;
    this.workspaceMiddleware = differences.workspaceMiddleware;
    this.output = new LastWords(onLine);
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
    port.onLine((line) => this.output.take(line));
    port.onEnd((how) => this.end(how));
    this.ready = new Promise((resolve) => {
      port.onMessage((message) => this.take(message as Control & Message, resolve));
    });
    // without its files, the server is better than none
    this.ready = this.ready.then(differences.prepare).catch((error: unknown) => this.output.take(String(error)));
    start.then(
      (about) => port.post({ start: about }),
      (error: unknown) => this.fail(error instanceof Error ? error.message : String(error)),
    );
  }

  get pid(): number {
    return this.port.pid;
  }

  get name(): string {
    return `worker ${this.pid}`;
  }

  get lastWords(): readonly string[] {
    return this.output.lines;
  }

  async connect(): Promise<MessageTransports> {
    await this.ready;
    return { reader: this.reader, writer: new PortWriter(this.port), detached: true };
  }

  kill(): void {
    this.port.terminate();
    this.end("was ended");
  }

  gone(patienceMs: number): Promise<void> {
    return waitOrKill(this.ended, patienceMs, () => this.kill());
  }

  private take(message: Control & Message, ready: () => void): void {
    if (message.ready !== undefined) {
      ready();
    } else if (message.failed !== undefined) {
      this.fail(message.failed);
    } else if (message.progress === undefined) {
      this.reader.take(message);
    }
  }

  private fail(why: string): void {
    this.output.take(why);
    this.port.terminate();
    this.end("could not be started");
  }
}

/** The worker's messages are objects already. */
class PortReader extends AbstractMessageReader implements MessageReader {
  private listener: DataCallback | undefined;
  private early: Message[] = [];

  listen(callback: DataCallback): Disposable {
    this.listener = callback;
    for (const message of this.early.splice(0)) {
      callback(message);
    }
    return { dispose: () => (this.listener = undefined) };
  }

  take(message: Message): void {
    if (this.listener === undefined) {
      this.early.push(message);
    } else {
      this.listener(message);
    }
  }
}

class PortWriter extends AbstractMessageWriter implements MessageWriter {
  constructor(private readonly port: Port) {
    super();
  }

  write(message: Message): Promise<void> {
    this.port.post(message);
    return Promise.resolve();
  }

  end(): void {
    // the worker ends by the client's `exit`
  }
}
