import type { Clock } from "../../src/platform/clock.ts";

/** A clock that shows the same time until a test moves it. */
export interface SettableClock extends Clock {
  set(iso: string): void;
  advance(ms: number): void;
}

/** A clock that shows `iso` (an instant with offset) until it is moved. */
export function settableClock(iso: string): SettableClock {
  let nowMs = Date.parse(iso);
  return {
    now: () => new Date(nowMs),
    set: (next) => {
      nowMs = Date.parse(next);
    },
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
