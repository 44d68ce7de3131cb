/** The pauses before the restarts of a crashed server: long enough to breathe, short enough to go unnoticed. */
const PAUSES_MS = [0, 500, 2_000, 5_000] as const;
const LIMIT = 5;
const WINDOW_MS = 3 * 60_000;

/** The restart policy: growing pauses, and no restart after five crashes in three minutes. */
export class RestartPolicy {
  private deaths: number[] = [];

  /** Record a crash. Returns the pause before the next start in milliseconds, or undefined to give up. */
  died(now: number): number | undefined {
    this.deaths = [...this.deaths.filter((death) => now - death < WINDOW_MS), now];
    return this.deaths.length >= LIMIT ? undefined : (PAUSES_MS[this.deaths.length - 1] ?? PAUSES_MS[0]);
  }

  /** Forget the crashes: the user asked for a restart. */
  forget(): void {
    this.deaths = [];
  }
}
