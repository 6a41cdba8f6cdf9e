import type { Random } from "../random.ts";
import { NOTICE_DAYS } from "../shares.ts";

/** One action of the registry on an authority. */
type Act =
  | "applied"
  | "dismissed"
  | "granted"
  | "proceeding_opened"
  | "proceeding_dropped"
  | "revoked"
  | "suspended_insurance"
  | "suspended_agent"
  | "reinstated"
  | "withdrawn";
export interface Action {
  day: number;
  act: Act;
}

/** The days of an authority's repeated suspensions. */
interface Cycles {
  /** The day of the first suspension; the others follow every `cycleDays` up to `until`. */
  first: number;
  cycleDays: number;
  until: number;
  /** Up to this day the authority has another history, so notices that would be cured are left out. */
  from: number;
  cure: Cure;
}

/**
 * How a suspension ends: a reinstatement 14 days later, some day later, on the day it took effect, or one that another
 * suspension follows on the same day. Half of the carriers take 14 days, so nearly every day has reinstatements.
 */
export type Cure = "prompt" | "some_day" | "same_day" | "suspended_again";

/**
 * In each cycle one notice is cured in time. Another one is not: it ends in a suspension, which is cured later. Nothing
 * overlaps.
 */
export function suspensions({ first, cycleDays, from, until, cure: kind }: Cycles, random: Random): Action[] {
  const actions: Action[] = [];
  for (let day = first; day <= until; day += cycleDays) {
    const soon = random.between(3, 40);
    const late = Math.floor(random.between(cycleDays * 0.25, cycleDays * 0.6));
    const someDay = kind === "prompt" || random.chance(0.4) ? soon : late;
    const curedAfter = { prompt: 14, suspended_again: 14, same_day: 0, some_day: someDay }[kind];
    const served = day - Math.floor(cycleDays * 0.3);
    const cure: Action = {
      day: served + random.between(3, NOTICE_DAYS - 2),
      act: random.chance(0.7) ? "proceeding_dropped" : "reinstated",
    };
    if (served > from) actions.push({ day: served, act: "proceeding_opened" }, cure);
    actions.push(
      { day: day - NOTICE_DAYS, act: "proceeding_opened" },
      { day, act: random.chance(0.08) ? "suspended_agent" : "suspended_insurance" },
      { day: day + curedAfter, act: "reinstated" },
    );
    if (kind === "suspended_again")
      actions.push({ day: day + 14, act: "suspended_agent" }, { day: day + 23, act: "reinstated" });
  }
  return actions;
}

/** An application that was dismissed, or was still open at `until`. */
export function neverGranted(registered: number, until: number, random: Random): Action[] {
  const applied = Math.min(registered + random.between(10, 400), until - 90);
  // One in twenty applications was still open when the legacy system was switched off.
  if (random.chance(0.05)) return [{ day: until - random.between(1, 80), act: "applied" }];
  return [
    { day: applied, act: "applied" },
    { day: applied + random.between(20, 80), act: random.chance(0.7) ? "dismissed" : "withdrawn" },
  ];
}

/** Granted, perhaps lost and regained, and active at `until`. */
export function keptHistory(registered: number, until: number, random: Random): Action[] {
  const granted = Math.min(registered + random.between(20, 900), until - 20);
  const years = (until - granted) / 365;
  const actions: Action[] = [{ day: granted, act: "granted" }];
  if (years > 6 && random.chance(0.1)) {
    const revoked = granted + random.between(200, Math.floor((until - granted) / 3));
    actions.push({ day: revoked, act: "revoked" });
    actions.push({ day: revoked + random.between(730, Math.floor((until - granted) / 2)), act: "granted" });
  } else if (years > 1 && random.chance(0.25)) {
    const revoked = granted + random.between(100, until - granted - 130);
    actions.push({ day: revoked, act: "revoked" });
    actions.push({ day: revoked + random.between(5, 120), act: "reinstated" });
  }
  addProceedings(actions, granted, until, random);
  return actions;
}

/** Granted, and lost permanently before `until`. */
export function lapsedHistory(registered: number, until: number, random: Random): Action[] {
  const granted = Math.min(registered + random.between(20, 900), until - 200);
  const revoked = granted + random.between(60, Math.min(until - granted - 20, 3650));
  const actions: Action[] = [
    { day: granted, act: "granted" },
    { day: revoked, act: random.chance(0.85) ? "revoked" : "withdrawn" },
  ];
  addProceedings(actions, granted, revoked, random);
  return actions;
}

/** Proceedings for a missing insurance filing that were discontinued: most of the legacy history. */
function addProceedings(actions: Action[], from: number, until: number, random: Random): void {
  while (random.chance(0.6)) {
    const opened = from + Math.floor(random.next() * (until - from - 36));
    if (opened <= from) return;
    actions.push({ day: opened, act: "proceeding_opened" });
    actions.push({ day: opened + random.between(3, 33), act: "proceeding_dropped" });
  }
}
