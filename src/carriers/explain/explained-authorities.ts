import type * as sql from "../../generated/sql/carriers/explain.ts";

/** A grant or an end of an authority. */
export interface HistoryRow {
  on: string;
  what: string;
  source: "motus" | "legacy";
}

export interface PendingRevocation {
  order_type: string;
  served_on: string | null;
  effective_on: string;
  source: string;
}

/** A row of Motus AuthHist, with the meaning of its reason. */
export interface StatusChange {
  on: string;
  status: string;
  reason: string | null;
  meaning: string;
}

type StoredAuthority = sql.FindAuthoritiesRow;

export interface ExplainedAuthority extends StoredAuthority {
  /** The sentence that says which file decides the status. */
  decided_by: string;
  /** The sentence that says where the date of grant comes from. */
  grant: string;
}

/**
 * Says which file decides the status, and why if files differ. computeAuthorities of registry/authorities decides.
 */
export function statusSentence(stored: StoredAuthority): string {
  const { status, status_source, carrier_status, newest_history } = stored;
  if (status_source === "legacy") return "decided by the legacy registry: no Motus file ever named it";
  if (status === "missing") return "Motus named it before and no file names it now: it counts as not active";
  const newest = newest_history
    .map((row) => `${row.status} on ${row.on} (${row.reason ?? "no reason"})`)
    .join(", ");
  if (carrier_status === null && newest === "") return "decided by its orders: no other Motus file names it";
  if (carrier_status === null)
    return `decided by the newest row of Motus AuthHist: ${newest}; Carrier has no row`;
  if (carrier_status === status) return "decided by Motus Carrier";
  return `decided by Motus AuthHist: ${newest}; Carrier says ${carrier_status}, and the safer of the two counts`;
}

/**
 * Says which row gave the date of grant, and what ended earlier grants. computeAuthorities of registry/authorities
 * decides.
 */
export function grantSentence({ granted_on, grants, ends }: StoredAuthority): string {
  if (granted_on === null) return "no grant is on record";
  const row = grants.find(({ on }) => on === granted_on);
  const earlier = grants.filter(({ on }) => on < granted_on);
  const from = row
    ? `${row.what} in ${row.source === "motus" ? "Motus" : "the legacy history"}`
    : "on record";
  const ended = ends.filter(({ on }) => on <= granted_on).at(-1);
  const lastGrantOn = grants.at(-1)?.on ?? granted_on;
  const endedSince = ends.filter(({ on }) => on > granted_on && on > lastGrantOn).at(-1);
  const why =
    earlier.length > 0 && ended
      ? `an earlier grant of ${earlier[0]?.on} ended on ${ended.on} (${ended.what})`
      : "the earliest on record";
  const since = endedSince ? `; ended on ${endedSince.on} (${endedSince.what}) without a later grant` : "";
  return `granted ${granted_on} (${from}), ${why}${since}`;
}
