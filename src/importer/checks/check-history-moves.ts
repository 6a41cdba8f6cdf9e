import * as sql from "../../generated/sql/importer/checks.ts";
import type { Context } from "../../platform/context.ts";
import type { Profile, StagedSet } from "../stage/staged-set.ts";
import type { Complaint } from "./complaint.ts";

/** Only a Motus Carrier that grew by this share may have got the history of the legacy registry. */
const LEAST_GROWTH = 0.2;
const LEAST_LEGACY_SHARE = 0.8;

/**
 * Complains once when the legacy registry's authorities and policies appear in the Motus files at once. The complaint
 * stands for all others that follow from it (followsFromMove).
 */
export async function moveComplaints(
  { db }: Context,
  { profiles, isDifference }: StagedSet,
  before: Profile | undefined,
): Promise<Complaint[]> {
  const now = profiles.get("motus_carrier");
  if (!now || !before || isDifference || now.rows < before.rows * (1 + LEAST_GROWTH)) return [];
  const { new: added, legacy } = await sql.countNewDockets(db.bulkPool);
  if (added < before.rows * LEAST_GROWTH || legacy < added * LEAST_LEGACY_SHARE) return [];
  return [
    [
      "history-moves",
      `${legacy} of the ${added} new dockets of Motus Carrier are the legacy registry's: its history moved into Motus`,
    ],
  ];
}

const FOLLOWING =
  /^(growth|fill-rate|(value-share|unknown-values|rejected-growth|row-jump|half-old):motus_|feed-jump:)/;

/** Whether a check fails as well when the history moves. */
export const followsFromMove = ([checkName]: Complaint): boolean => FOLLOWING.test(checkName);
