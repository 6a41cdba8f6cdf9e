import type { Random } from "../random.ts";
import { NOTICE_DAYS } from "../shares.ts";
import type { Ending, Policy } from "./policy.ts";
import type { PolicyStep } from "./policy-steps.ts";

type Change = (current: Policy, step: PolicyStep, random: Random, opened: Policy) => Policy | undefined;

/** Applies a step to the policy in force; returns the policy that is in force afterwards. */
export const CHANGES: Record<Exclude<PolicyStep["kind"], "begin">, Change> = {
  replaced(current, { day }, random, opened) {
    const filed = day - random.between(0, 10);
    close(current, { how: "replaced", reportedOn: filed, on: day });
    return { ...opened, effective: day, filings: [filed] };
  },
  cancelled_and_replaced(current, { day }, random, opened) {
    close(current, { how: "cancelled", reportedOn: day - random.between(30, 35), on: day });
    const filed = day - random.between(1, 20);
    // Sometimes the new policy comes too late.
    const effective = random.chance(0.1) ? day + random.between(2, 6) : day + random.between(0, 1);
    return { ...opened, effective, filings: [random.chance(0.1) ? effective : filed] };
  },
  cancelled_and_refiled(current, { day }, random) {
    current.endings.push({ how: "cancelled", reportedOn: day - random.between(30, 35), on: day });
    current.filings.push(day - random.between(1, 20));
    return undefined;
  },
  // The insurer's cancellation came first, then the notice for the day it takes effect, then the cure.
  cured(current, { day, served = day }, random, opened) {
    const on = served + NOTICE_DAYS;
    const reportedOn = served - random.between(0, 3);
    if (random.chance(0.25)) {
      current.endings.push({ how: "cancelled", reportedOn, on });
      current.filings.push(day);
      return undefined;
    }
    close(current, { how: "cancelled", reportedOn, on });
    return { ...opened, effective: random.between(day, on), filings: [day] };
  },
  renamed(current, { day }) {
    current.endings.push({ how: "renamed", reportedOn: day, on: day });
    current.filings.push(day);
    return undefined;
  },
  transferred(current, { day }, _random, opened) {
    close(current, { how: "transferred", reportedOn: day, on: day });
    return { ...opened, number: current.number, effective: day, filings: [day] };
  },
  // Replaced by a policy that is cancelled at once, filed less than 30 days before its end; every second one once more.
  short_lived(current, { day }, random, opened) {
    close(current, { how: "replaced", reportedOn: day, on: day });
    const on = day + random.between(18, 28);
    const reportedOn = day + random.between(2, 6);
    const next: Policy = { ...opened, effective: day, filings: [day] };
    if (random.chance(0.5)) {
      next.endings.push({ how: "cancelled", reportedOn, on });
      next.filings.push(random.between(reportedOn + 1, on - 1));
    } else close(next, { how: "cancelled", reportedOn, on });
    return next;
  },
  refiled(current, { day }) {
    current.filings.push(day);
    return undefined;
  },
  lapsed(current, { day }, random) {
    close(current, { how: "cancelled", reportedOn: day - NOTICE_DAYS - random.between(0, 3), on: day });
    return undefined;
  },
  stopped(current, { day }, random) {
    const on = day + random.between(31, 38);
    close(current, { how: "cancelled", reportedOn: day + random.between(1, 5), on });
    return undefined;
  },
};

function close(policy: Policy, ending: Ending): void {
  policy.endings.push(ending);
  policy.until = ending.on;
}
