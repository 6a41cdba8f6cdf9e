import { createRandom, evenFraction, type Random } from "../random.ts";
import {
  APPLICANT_WINDOW_DAYS,
  EXIT_LEAD_DAYS,
  EXIT_SPAN_DAYS,
  GRANT_DELAY_DAYS,
  NOTICE_DAYS,
  type Plot,
  SUSPENSION_LEAD_DAYS,
} from "../shares.ts";
import {
  type Action,
  type Cure,
  keptHistory,
  lapsedHistory,
  neverGranted,
  suspensions,
} from "./histories.ts";
import type { World } from "./world.ts";

/** A carrier's plot and the days from which its other data is derived. */
export interface Life {
  index: number;
  plot: Plot;
  registeredDay: number;
  /** Fraction within the plot's range, from 0 to 1: spreads the plot's days evenly. */
  fraction: number;
}

const EARLIEST_DAY = 5480; // 1985-01-02

/** The life of carrier `index`. Carriers from `world.carriers` on register one after the other from the first day on. */
export function lifeOf(world: World, index: number): Life {
  const { registrationsPerDay, plots } = world.shares;
  if (index >= world.carriers) {
    const day = world.firstDay + 1 + Math.floor((index - world.carriers) / registrationsPerDay);
    return { index, plot: "applicant", registeredDay: day, fraction: 1 };
  }
  // The last one applies on the first day itself, so that day 0 has a row of its own date.
  if (index > 0 && index === world.carriers - 1)
    return { index, plot: "applicant", registeredDay: world.firstDay, fraction: 1 };
  const spot = evenFraction(world.seed, index);
  let low = 0;
  for (const { plot, upTo, share } of plots) {
    if (spot < upTo && index > 0) {
      const fraction = (spot - low) / share;
      return { index, plot, registeredDay: registrationDay(world, index, plot, fraction), fraction };
    }
    low = upTo;
  }
  return { index, plot: "none", registeredDay: registrationDay(world, index, "none", 0), fraction: 0 };
}

function registrationDay(world: World, index: number, plot: Plot, fraction: number): number {
  if (plot === "applicant") return world.firstDay - Math.floor((1 - fraction) * APPLICANT_WINDOW_DAYS);
  // USDOT numbers are issued in order, more of them each year.
  const age = ((index + 0.5) / world.carriers) ** 0.7;
  return Math.floor(EARLIEST_DAY + age * (world.legacyEnd - 200 - EARLIEST_DAY));
}

/** The history of the carrier's leading authority up to and including `day`, oldest first. */
export function actionsOf(world: World, life: Life, day: number): Action[] {
  const random = createRandom(world.seed, life.index, 1);
  const all = plannedActions(world, life, random, day);
  return all.filter((action) => action.day <= day).sort((one, other) => one.day - other.day);
}

function plannedActions(world: World, life: Life, random: Random, day: number): Action[] {
  const { plot, registeredDay, fraction } = life;
  switch (plot) {
    case "none":
      return [];
    case "applicant":
      return applicantActions(world, life, random);
    case "never":
      return neverGranted(registeredDay, world.legacyEnd, random);
    case "lapsed":
      return lapsedHistory(registeredDay, world.legacyEnd, random);
    case "suspending": {
      const { suspensionCycleDays } = world.shares;
      const first = world.firstDay - SUSPENSION_LEAD_DAYS + Math.floor(fraction * suspensionCycleDays);
      const from = Math.min(world.legacyEnd, first - NOTICE_DAYS);
      return [
        ...keptHistory(registeredDay, from, random),
        ...suspensions(
          {
            first,
            cycleDays: suspensionCycleDays,
            from,
            until: day + suspensionCycleDays,
            cure: cureOf(life),
          },
          random,
        ),
      ];
    }
    case "leaving": {
      const exit = world.firstDay - EXIT_LEAD_DAYS + Math.floor(fraction * EXIT_SPAN_DAYS);
      const act = random.chance(0.7) ? "withdrawn" : "revoked";
      const noticed = exit - NOTICE_DAYS;
      return [
        ...keptHistory(registeredDay, Math.min(world.legacyEnd, noticed), random),
        ...(act === "revoked" ? [{ day: noticed, act: "proceeding_opened" } as const] : []),
        { day: exit, act },
      ];
    }
    default: {
      const history = keptHistory(registeredDay, world.legacyEnd - 60, random);
      // Some proceedings were open when the legacy system was switched off.
      if (random.chance(0.025))
        history.push({ day: world.legacyEnd - random.between(1, 30), act: "proceeding_opened" });
      return history;
    }
  }
}

function cureOf({ index }: Life): Cure {
  if (index % 2 === 0) return "prompt";
  if (index % 16 === 5) return "same_day";
  return index % 64 === 9 ? "suspended_again" : "some_day";
}

function applicantActions(world: World, { registeredDay, index }: Life, random: Random): Action[] {
  const applied: Action = { day: registeredDay, act: "applied" };
  // Of two consecutive applicants at least one is granted, so every day or two has a grant, a policy and its filing.
  if (random.chance(0.05) && index % 2 === 1)
    return [applied, { day: registeredDay + random.between(2, 15), act: "withdrawn" }];
  const granted = registeredDay + GRANT_DELAY_DAYS;
  const later = granted + random.between(60, 500);
  const fate = random.next();
  const cycleDays = world.shares.suspensionCycleDays;
  const from = granted + 2 * NOTICE_DAYS;
  return [
    applied,
    { day: granted, act: "granted" },
    ...(world.shares.noticeToApplicants ? earlyNotice(granted, random) : []),
    ...(fate < 0.25
      ? suspensions({ first: later, cycleDays, from, until: later, cure: "some_day" }, random)
      : []),
    ...(fate > 0.9 ? [{ day: later, act: "withdrawn" } as const] : []),
  ];
}

/** A notice soon after the grant, cured in time: a small registry has too few other notices for one every day or two. */
const earlyNotice = (granted: number, random: Random): Action[] => [
  { day: granted + 19, act: "proceeding_opened" },
  { day: granted + 19 + random.between(3, NOTICE_DAYS - 2), act: "proceeding_dropped" },
];
