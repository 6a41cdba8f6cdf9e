import { createRandom, type Random } from "../random.ts";
import { NOTICE_DAYS } from "../shares.ts";
import type { Authority } from "./authorities.ts";
import type { Life } from "./carrier-life.ts";
import type { Needs } from "./covers.ts";
import type { World } from "./world.ts";

/** A change of the policy in force on `day`, or `begin`, which opens the first one. */
export interface PolicyStep {
  day: number;
  /** For a cure: the day on which the notice was served. */
  served?: number;
  kind:
    | "begin"
    | "replaced"
    | "cancelled_and_replaced"
    | "cancelled_and_refiled"
    | "cured"
    | "renamed"
    | "transferred"
    | "refiled"
    | "short_lived"
    | "lapsed"
    | "stopped";
}

/** The changes of one line of an authority's policies, oldest first; line 0 is the most important one. */
export function policySteps(
  world: World,
  life: Life,
  authority: Authority,
  { lack }: Needs,
  line: number,
  day: number,
): PolicyStep[] {
  const random = createRandom(world.seed, life.index, 40 + authority.slot * 4 + line);
  const steps = planSteps(world, authority, line);
  steps.push(...oldRenewals(world, authority, random));
  const lostOn = world.legacyEnd - random.between(1, 200);
  if (line === 0 && lack === "nothing") steps.push({ day: lostOn, kind: "lapsed" });
  else steps.push(...renewals(world, life, authority, line, day));
  return steps.sort((one, other) => one.day - other.day);
}

function planSteps(world: World, { plan }: Authority, line: number): PolicyStep[] {
  const steps: PolicyStep[] = [];
  let isHeld = false;
  plan.forEach(({ day, act }, at) => {
    const before = plan[at - 1];
    if (act === "granted" || (act === "reinstated" && !isHeld)) {
      steps.push({ day, kind: "begin" });
      isHeld = true;
    } else if (act === "suspended_insurance" && line === 0) {
      steps.push({ day, kind: "lapsed" });
      isHeld = false;
    } else if (act === "revoked") {
      steps.push({ day, kind: "lapsed" });
      isHeld = false;
    } else if (act === "withdrawn" && isHeld) {
      steps.push({ day, kind: "stopped" });
      isHeld = false;
    } else if (line === 0 && day > world.legacyEnd && isCure(act, before?.act)) {
      steps.push({ day, kind: "cured", served: before?.day ?? day });
    }
  });
  return steps;
}

const isCure = (act: string, before: string | undefined): boolean =>
  before === "proceeding_opened" && (act === "proceeding_dropped" || act === "reinstated");

/** Policies that followed each other while the legacy registry was live. */
function oldRenewals(world: World, { actions }: Authority, random: Random): PolicyStep[] {
  const granted = actions.find(({ act }) => act === "granted");
  const lost = actions.find(({ act }) => act === "revoked" || act === "withdrawn")?.day ?? world.legacyEnd;
  const end = Math.min(lost, world.legacyEnd);
  const steps: PolicyStep[] = [];
  const share = world.shares.policiesEnded / (1 + world.shares.policiesEnded);
  while (random.chance(share)) {
    const spot = random.next();
    const isReplaced = random.chance(0.7);
    if (!granted || end - granted.day < 200) continue;
    const day = granted.day + 60 + Math.floor(spot * (end - granted.day - 120));
    if (day < world.legacyEnd - 60 && steps.every((step) => Math.abs(step.day - day) > 45))
      steps.push({ day, kind: isReplaced ? "replaced" : "cancelled_and_replaced" });
  }
  return steps;
}

/** After the cut-over a policy changes about once in three years, on its day of the year. */
function renewals(world: World, life: Life, authority: Authority, line: number, day: number): PolicyStep[] {
  const { plot } = life;
  if (authority.slot === 2 || !["carried", "broker", "forwarder"].includes(plot)) return [];
  const steps: PolicyStep[] = [];
  const yearly = createRandom(world.seed, life.index, 60 + authority.slot * 4 + line).between(40, 404);
  for (let at = world.legacyEnd + yearly; at <= day + 2 * NOTICE_DAYS; at += 365) {
    const random = createRandom(world.seed, life.index, 300_000 + (authority.slot * 4 + line) * 50_000 + at);
    if (random.chance(world.shares.renewal)) steps.push({ day: at, kind: kindOfRenewal(random.next()) });
  }
  return steps;
}

function kindOfRenewal(draw: number): PolicyStep["kind"] {
  if (draw < 0.3) return "replaced";
  if (draw < 0.5) return "cancelled_and_replaced";
  if (draw < 0.62) return "cancelled_and_refiled";
  if (draw < 0.74) return "renamed";
  if (draw < 0.84) return "transferred";
  return draw < 0.94 ? "refiled" : "short_lived";
}
