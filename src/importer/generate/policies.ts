import type { Authority } from "./authorities.ts";
import type { Life } from "./carrier-life.ts";
import { type Cover, type Needs, needsOf } from "./covers.ts";
import { insurerOf, policyNumber } from "./insurers.ts";
import { type PolicyStep, policySteps } from "./policy-steps.ts";
import { createRandom, type Random } from "./random.ts";
import { NOTICE_DAYS } from "./shares.ts";
import type { World } from "./world.ts";

/** A row of the history of ended policies. Some say that a policy ends that went on after all. */
export interface Ending {
  how: "cancelled" | "replaced" | "renamed" | "transferred";
  /** The day the registry was told. */
  told: number;
  /** The day it takes effect, often after `told`. */
  on: number;
}

/** One policy, bond or trust fund, from its first filing to its end. Days are counted from 1970-01-01. */
export interface Policy {
  cover: Cover;
  number: string;
  insurer: string;
  effective: number;
  /** The days it was filed, the first one first. */
  filings: number[];
  endings: Ending[];
  /** The first day it is not in force any more. */
  until?: number;
  /** Whether it leaves the file of policies when it has ended: some stay there. */
  leavesFile: boolean;
  /** Distinguishes the draws of this policy's rows from those of others. */
  topic: number;
}

/** An authority's needs, and all policies it has had and will soon have. */
export interface Ledger {
  needs: Needs;
  policies: readonly Policy[];
}

/** The ledger of an authority as far as its plan goes; `day` bounds the yearly renewals. */
export function ledgerOf(world: World, life: Life, authority: Authority, day: number): Ledger {
  const needs = needsOf(world, life, authority);
  const policies = needs.covers.flatMap((cover, line) => {
    const steps = policySteps(world, life, authority, needs, line, day);
    return lineOfPolicies(world, life, cover, (authority.slot * 4 + line) * 100_000 + 1_000_000, steps);
  });
  return { needs, policies };
}

/** True when the policy is in force and the registry knows of it. */
export const isInForce = ({ filings, effective, until }: Policy, day: number): boolean =>
  (filings[0] ?? day + 1) <= day && effective <= day && (until === undefined || until > day);

function lineOfPolicies(
  world: World,
  life: Life,
  cover: Cover,
  firstTopic: number,
  steps: readonly PolicyStep[],
): Policy[] {
  const policies: Policy[] = [];
  for (const step of steps) {
    // Each step has draws of its own, so that those of later days leave it as it was.
    const topic = firstTopic + step.day * 2;
    const random = createRandom(world.seed, life.index, topic);
    const last = policies.at(-1);
    const opened = open(cover, random, topic);
    const current = last?.until === undefined ? last : undefined;
    if (step.kind === "begin") {
      const filed = step.day - random.between(0, 8);
      const isSame = last !== undefined && random.chance(0.3);
      if (!current)
        policies.push({ ...opened, ...(isSame && sameAs(last)), effective: filed, filings: [filed] });
    } else if (current) {
      const next = APPLY[step.kind](current, step, random, opened);
      if (next) policies.push(next);
    }
  }
  return policies;
}

const open = (cover: Cover, random: Random, topic: number): Policy => ({
  cover,
  number: random.chance(0.005) ? "" : policyNumber(random),
  insurer: insurerOf(random, cover.type > "2"),
  effective: 0,
  filings: [],
  endings: [],
  leavesFile: random.chance(0.7),
  topic,
});

const sameAs = ({ number, insurer }: Policy) => ({ number, insurer });

type Change = (current: Policy, step: PolicyStep, random: Random, opened: Policy) => Policy | undefined;

/** What a step does to the policy in force; the policy that takes over is returned. */
const APPLY: Record<Exclude<PolicyStep["kind"], "begin">, Change> = {
  replaced(current, { day }, random, opened) {
    const filed = day - random.between(0, 10);
    close(current, { how: "replaced", told: filed, on: day });
    return { ...opened, effective: day, filings: [filed] };
  },
  cancelled_and_replaced(current, { day }, random, opened) {
    close(current, { how: "cancelled", told: day - random.between(30, 35), on: day });
    const filed = day - random.between(1, 20);
    // Now and then the new policy comes too late.
    const effective = random.chance(0.1) ? day + random.between(2, 6) : day + random.between(0, 1);
    return { ...opened, effective, filings: [random.chance(0.1) ? effective : filed] };
  },
  cancelled_and_refiled(current, { day }, random) {
    current.endings.push({ how: "cancelled", told: day - random.between(30, 35), on: day });
    current.filings.push(day - random.between(1, 20));
    return undefined;
  },
  // The insurer's cancellation came first, then the notice for the day it takes effect, then the cure.
  cured(current, { day, served = day }, random, opened) {
    const on = served + NOTICE_DAYS;
    const told = served - random.between(0, 3);
    if (random.chance(0.25)) {
      current.endings.push({ how: "cancelled", told, on });
      current.filings.push(day);
      return undefined;
    }
    close(current, { how: "cancelled", told, on });
    return { ...opened, effective: random.between(day, on), filings: [day] };
  },
  renamed(current, { day }) {
    current.endings.push({ how: "renamed", told: day, on: day });
    current.filings.push(day);
    return undefined;
  },
  transferred(current, { day }, _random, opened) {
    close(current, { how: "transferred", told: day, on: day });
    return { ...opened, number: current.number, effective: day, filings: [day] };
  },
  refiled(current, { day }) {
    current.filings.push(day);
    return undefined;
  },
  lapsed(current, { day }, random) {
    close(current, { how: "cancelled", told: day - NOTICE_DAYS - random.between(0, 3), on: day });
    return undefined;
  },
  stopped(current, { day }, random) {
    const on = day + random.between(31, 38);
    close(current, { how: "cancelled", told: day + random.between(1, 5), on });
    return undefined;
  },
};

function close(policy: Policy, ending: Ending): void {
  policy.endings.push(ending);
  policy.until = ending.on;
}
