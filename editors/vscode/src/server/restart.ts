/** How long to wait before each new start of a server that died: long enough to breathe, short enough not to be noticed. */
const PAUSES_MS = [0, 500, 2_000, 5_000] as const;
const LIMIT = 5;
const WINDOW_MS = 3 * 60_000;

/** When a server that died is started again: with growing pauses, and no more after five deaths in three minutes. */
export class RestartPolicy {
  private deaths: number[] = [];

  /** Note a death; the pause before the next start in milliseconds, or undefined when it is enough. */
  died(now: number): number | undefined {
    this.deaths = [...this.deaths.filter((death) => now - death < WINDOW_MS), now];
    return this.deaths.length >= LIMIT ? undefined : (PAUSES_MS[this.deaths.length - 1] ?? PAUSES_MS[0]);
  }

  /** Begin anew, because somebody asked for it. */
  forget(): void {
    this.deaths = [];
  }
}
