// Written by tools/generate/editors/npm.py.

/** The version of llmblocks. */
export const version: string;

/** The languages; of a host, such as Markdown, the texts inside. */
export type Language = "gadget" | "request" | "stf" | "custom-blocks" | "completion" | "markdown" | "jsonl" | "json" | "python" | "typescript" | "typescriptreact" | "javascript" | "javascriptreact";

/** Another place that a finding is about. `path` is the file, if it is another one. */
export interface Related {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly message: string;
  readonly path?: string;
}

/** A mistake or a surprise. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly code: string;
  readonly name: string | null;
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly message: string;
  readonly headline: string;
  readonly note: string;
  readonly help: string;
  readonly related: readonly Related[];
}

/** A fix that was made: the finding that is gone, and the change. */
export interface AppliedFix {
  readonly code: string;
  readonly message: string;
  readonly title: string;
}

/** A text after fixes, and the remaining findings. Not `finished`: the next call continues. */
export interface Fixed {
  readonly text: string;
  readonly applied: readonly AppliedFix[];
  readonly left: readonly Finding[];
  readonly finished: boolean;
}

/** A message of a chat. Its content is text, or a list of parts. */
export interface Message {
  readonly role: string;
  readonly content: string | readonly Record<string, unknown>[];
  readonly id?: string;
  readonly name?: string;
  readonly call_id?: string;
  readonly reasoning?: string | readonly Record<string, unknown>[];
  readonly refusal?: string | readonly Record<string, unknown>[];
  readonly tool_calls?: readonly Record<string, unknown>[];
  readonly extra?: unknown;
}

/** The values that a program reads: the `items` of calls, blocks and text; or for a chat, its `messages`. */
export interface Parsed {
  readonly items?: readonly Record<string, unknown>[];
  readonly messages?: readonly Message[];
  readonly metadata?: unknown;
}

/** Content that the target of a conversation cannot represent: its path in the source, and the effect. */
export interface Lost {
  readonly path: string;
  readonly message: string;
}

/** A chat in another format. */
export interface Converted {
  readonly text: string;
  readonly lost: readonly Lost[];
}

/** A finding of the decoder. `kind` is the kind of error with which llm-msg-io stops. */
export interface StfFinding {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly code: string;
  readonly name: string | null;
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly message: string;
  readonly headline: string;
  readonly note: string;
  readonly help: string;
  readonly related: readonly Related[];
  readonly kind: string;
}

/** A chat. `metadata` is present if the chat has some, even null. */
export interface Transcript {
  readonly messages: readonly Message[];
  readonly metadata?: unknown;
  readonly findings: readonly StfFinding[];
}

/** The markers of gadget calls, if they are not the default ones. */
export interface Markers {
  readonly start?: string;
  readonly end?: string;
  readonly arg?: string;
}

/** A piece of the text outside of calls. */
export interface Text {
  readonly event: "Text";
  readonly text: string;
}

/** A call's header is complete. */
export interface CallStarted {
  readonly event: "CallStarted";
  readonly name: string;
  readonly invocationId: string;
  readonly dependencies: readonly string[];
}

/** An argument's pointer is complete; its value follows. */
export interface ArgStarted {
  readonly event: "ArgStarted";
  readonly pointer: string;
}

/** The next piece of an argument's value, never empty. */
export interface ArgDelta {
  readonly event: "ArgDelta";
  readonly pointer: string;
  readonly delta: string;
}

/** An argument's value is complete. */
export interface ArgEnded {
  readonly event: "ArgEnded";
  readonly pointer: string;
}

/** A call as the runtime passes it to its gadget. */
export interface GadgetCall {
  readonly name: string;
  readonly invocationId: string;
  readonly dependencies: readonly string[];
  readonly parameters: Record<string, unknown> | null;
  readonly parametersRaw: string;
  readonly error: string | null;
  readonly errorKind: string | null;
}

/** A call is complete: by its end marker, by the next call, or by the end of the stream. */
export interface CallEnded {
  readonly event: "CallEnded";
  readonly call: GadgetCall;
}

export type GadgetEvent = Text | CallStarted | ArgStarted | ArgDelta | ArgEnded | CallEnded;

/** The next piece of visible text. */
export interface TextDelta {
  readonly event: "TextDelta";
  readonly delta: string;
}

/** A complete opening tag. */
export interface CustomBlockStart {
  readonly event: "CustomBlockStart";
  readonly tag: string;
  readonly attrs: Record<string, string>;
}

/** The next piece of the open block's content. */
export interface CustomBlockDelta {
  readonly event: "CustomBlockDelta";
  readonly tag: string;
  readonly delta: string;
}

/** The closing tag of the open block. A block cut off by the end of the stream has none. */
export interface CustomBlockEnd {
  readonly event: "CustomBlockEnd";
  readonly tag: string;
}

/** A complete block with its content. A self-closing tag gives only this delta, without start, delta and end. */
export interface CustomBlock {
  readonly event: "CustomBlock";
  readonly tag: string;
  readonly content: string;
  readonly attrs: Record<string, string>;
  readonly selfClosing: boolean;
}

export type TagDelta = TextDelta | CustomBlockStart | CustomBlockDelta | CustomBlockEnd | CustomBlock;

/** Return the findings of a text, in order, as in an editor. `name` is the path of its file. */
export function check(text: string, language: Language, options?: { settings?: Record<string, unknown>; name?: string; known?: readonly string[]; results?: Record<string, string> }): readonly Finding[];

/** Fix a text. A safe fix changes no value that a program reads; `select` are codes or names of rules. */
export function fix(text: string, language: Language, options?: { unsafe?: boolean; select?: readonly string[]; settings?: Record<string, unknown>; known?: readonly string[]; results?: Record<string, string> }): Fixed;

/** Format a text. No value that a program reads changes. */
export function format(text: string, language: Language, options?: { settings?: Record<string, unknown> }): string;

/** Return a message to the model that wrote this text: each mistake, and its correction. Empty if nothing is wrong. */
export function feedback(text: string, language: Language, options?: { limit?: number; settings?: Record<string, unknown>; known?: readonly string[]; results?: Record<string, string> }): string;

/** Return the values that a program reads from a text. */
export function parse(text: string, language: Language, options?: { settings?: Record<string, unknown> }): Parsed;

/** Return a chat in another format. Throws if it cannot be converted. */
export function convert(text: string, source: "stf" | "stf-semicolon" | "openai" | "anthropic" | "json" | "ndjson" | "gadget" | "completion", target: "stf" | "stf-semicolon" | "openai" | "anthropic" | "json" | "ndjson" | "gadget" | "completion", options?: { settings?: Record<string, unknown> }): Converted;

/** Read a chat in Simple Text Format. If `strict`, findings are thrown, as an error with `line` and `kind`. */
export function decodeStf(text: string, options?: { dialect?: "auto" | "@" | ";"; defaultRole?: string; strict?: boolean }): Transcript;

/** Reads a response chunk by chunk, and returns events as soon as they are certain. */
export class GadgetStream {
  constructor(options?: { markers?: Markers });
  /** Read the next chunk, of any size. */
  feed(chunk: string): readonly GadgetEvent[];
  /** End the text. */
  close(): readonly GadgetEvent[];
}

/** Takes registered XML-like tags out of a stream of text. */
export class TagStream {
  constructor(tags: readonly string[]);
  /** Read the next chunk, of any size. */
  feed(chunk: string): readonly TagDelta[];
  /** End the text. */
  close(): readonly TagDelta[];
}
