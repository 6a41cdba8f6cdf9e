import { insurerOf, policyNumber } from "../companies/insurers.ts";
import { createRandom, type Random } from "../random.ts";
import type { Authority } from "./authorities.ts";
import type { Life } from "./carrier-life.ts";
import { type Cover, type Needs, needsOf } from "./covers.ts";
import type { Policy } from "./policy.ts";
import { CHANGES } from "./policy-changes.ts";
import { type PolicyStep, policySteps } from "./policy-steps.ts";
import type { World } from "./world.ts";

/** The insurance that an authority needs, and its past, present and near-future policies. */
export interface Ledger {
  needs: Needs;
  policies: readonly Policy[];
}

/** The ledger of an authority up to the end of its plan; `day` limits the yearly renewals. */
export function ledgerOf(world: World, life: Life, authority: Authority, day: number): Ledger {
  const needs = needsOf(world, life, authority);
  const policies = needs.covers.flatMap((cover, line) => {
    const steps = policySteps(world, life, authority, needs, line, day);
    return lineOfPolicies(world, life, cover, (authority.slot * 4 + line) * 100_000 + 1_000_000, steps);
  });
  return { needs, policies };
}

function lineOfPolicies(
  world: World,
  life: Life,
  cover: Cover,
  firstTopic: number,
  steps: readonly PolicyStep[],
): Policy[] {
  const policies: Policy[] = [];
  for (const step of steps) {
    // Each step has its own draws, so that later days do not change it.
    const topic = firstTopic + step.day * 2;
    const random = createRandom(world.seed, life.index, topic);
    const last = policies.at(-1);
    const opened = open(cover, random, topic);
    const current = last?.until === undefined ? last : undefined;
    if (step.kind === "begin") {
      const filed = filingDay(life, step, last, random);
      const isSame = last !== undefined && random.chance(0.3);
      if (!current)
        policies.push({ ...opened, ...(isSame && sameAs(last)), effective: filed, filings: [filed] });
    } else if (current) {
      const next = CHANGES[step.kind](current, step, random, opened);
      if (next) policies.push({ ...next, cover: nextCover(world, current, step, random) });
    }
  }
  return policies;
}

/** The filing day of a new policy: two days before most new grants, so that each day has a filing; else up to eight. */
function filingDay({ plot, index }: Life, { day }: PolicyStep, last: Policy | undefined, random: Random) {
  const early = random.between(0, 8);
  if (last?.until === day) return day;
  return plot === "applicant" && last === undefined && index % 4 !== 3 ? day - 2 : day - early;
}

/** Mostly the same cover; sometimes a trust fund replaces a bond, or the reverse. */
function nextCover({ shares }: World, { cover }: Policy, { kind }: PolicyStep, random: Random): Cover {
  const isReplaced = kind === "replaced" || kind === "cancelled_and_replaced" || kind === "cured";
  if (cover.type < "3" || !isReplaced || !random.chance(shares.securitySwaps)) return cover;
  return cover.type === "3" ? { ...cover, type: "4", form: "85" } : { ...cover, type: "3", form: "84" };
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
