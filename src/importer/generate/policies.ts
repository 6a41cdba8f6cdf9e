import type { Authority } from "./authorities.ts";
import type { Life } from "./carrier-life.ts";
import { type Cover, type Needs, needsOf } from "./covers.ts";
import { insurerOf, policyNumber } from "./insurers.ts";
import type { Policy } from "./policy.ts";
import { CHANGES } from "./policy-changes.ts";
import { type PolicyStep, policySteps } from "./policy-steps.ts";
import { createRandom, type Random } from "./random.ts";
import type { World } from "./world.ts";

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
      const next = CHANGES[step.kind](current, step, random, opened);
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
