// Policies filed, replaced and cancelled, out of the files of both registries.
import type { PoliciesRow } from "../../generated/sql/carriers/timeline.ts";
import { isLegacy } from "../../registry/datasets.ts";
import type { Entry } from "./entry.ts";

/**
 * The entries of policies. A policy that follows one of the same insurer is no change. One that follows another insurer's,
 * which was replaced, is one entry with both insurers. Each policy is told once, however many rows it has.
 */
export function policyEntries(rows: readonly PoliciesRow[]): Entry[] {
  const policies = [...Map.groupBy(rows, ({ docket, kind }) => `${docket} ${kind}`).values()].map(together);
  return policies.flatMap((ofOneKind) =>
    ofOneKind.flatMap((policy) => {
      const before = ofOneKind.find((other) => other !== policy && isFollowedBy(other, policy));
      const isReplaced = ofOneKind.some((other) => other !== policy && isFollowedBy(policy, other));
      return [filedEntry(policy, before), isReplaced ? null : cancelledEntry(policy)].filter(
        (entry) => entry !== null,
      );
    }),
  );
}

/** The rows of each policy as one: the registry that has most of it, with the ending that any of them has. */
function together(rows: readonly PoliciesRow[]): PoliciesRow[] {
  const byPolicy = Map.groupBy(rows, ({ policy_key, effective_on }) => `${policy_key} ${effective_on}`);
  return [...byPolicy.values()].map((same) => {
    const first = same.find(({ filed_on }) => filed_on !== null) ?? (same[0] as PoliciesRow);
    const ended = same.find(({ ending }) => ending !== null);
    const insurer = first.insurer ?? ended?.insurer ?? null;
    return { ...first, insurer, ended_on: ended?.ended_on ?? null, ending: ended?.ending ?? null };
  });
}

/** Endings after which the cover goes on under another policy. */
const GOES_ON = ["replaced", "renamed", "transferred"];

/** Whether a policy ended because another one took its place, on the day that this one begins. */
const isFollowedBy = (policy: PoliciesRow, next: PoliciesRow): boolean =>
  GOES_ON.includes(policy.ending ?? "") &&
  policy.ended_on !== null &&
  (next.effective_on === policy.ended_on || next.filed_on === policy.ended_on);

function filedEntry(policy: PoliciesRow, before: PoliciesRow | undefined): Entry | null {
  if (before && formOf(before.insurer) === formOf(policy.insurer)) return null;
  const entry = entryOf(policy, policy.filed_on ?? policy.effective_on);
  if (before === undefined) return { ...entry, action: "policy_filed" };
  return {
    ...entry,
    action: "policy_replaced",
    details: { ...entry.details, previousInsurer: before.insurer },
  };
}

/** An unknown ending of Motus is a loss, as the feeds take it; one of the legacy registry is none. */
function cancelledEntry(policy: PoliciesRow): Entry | null {
  const isLost = policy.ending === "cancelled" || (policy.ending === "unknown" && !isLegacy(policy.dataset));
  return isLost ? { ...entryOf(policy, policy.ended_on), action: "policy_cancelled" } : null;
}

const entryOf = (policy: PoliciesRow, on: string | null): Entry => ({
  on,
  category: "insurance",
  action: "policy_filed",
  docket: policy.docket,
  authorityType: null,
  details: {
    insurer: policy.insurer,
    insuranceType: policy.kind,
    effectiveOn: policy.effective_on,
    endedOn: policy.ended_on,
  },
  dataset: policy.dataset,
});

/** An insurer's name without what spellings differ in. */
const formOf = (insurer: string | null): string => (insurer ?? "").toUpperCase().replace(/[^A-Z0-9]/g, "");
