interface HistoryRow {
  on: string;
  what: string;
  source: "motus" | "legacy";
}

/** A row of authorities.sql. */
export interface StoredAuthority {
  docket: string;
  authority_class: string;
  op_auth_type: string;
  status: string;
  status_source: string;
  granted_on: string | null;
  grants: HistoryRow[];
  /** Changes after which the authority did not stand. */
  ends: HistoryRow[];
  in_revocation_by_legacy: boolean;
  pending_revocations: { order_type: string; served_on: string; effective_on: string; source: string }[];
  /** What Motus requires and has on file, in dollars; null where Motus has no row of it. */
  coverage: Record<string, number | boolean | null> | null;
  policies: Record<string, string | null>[];
  ended_policies: Record<string, string | null>[];
}

export interface ExplainedAuthority extends StoredAuthority {
  /** Where the date of grant comes from, and why it is that one. */
  grant: string;
}

/** Which row gave the date of grant, and what became of earlier ones (carriers/authorities.sql decides). */
export function grantSentence({ granted_on, grants, ends }: StoredAuthority): string {
  if (granted_on === null) return "no grant is on record";
  const row = grants.find(({ on }) => on === granted_on);
  const earlier = grants.filter(({ on }) => on < granted_on);
  const from = row
    ? `${row.what} in ${row.source === "motus" ? "Motus" : "the legacy history"}`
    : "on record";
  const ended = ends.filter(({ on }) => on <= granted_on).at(-1);
  const endedSince = ends.filter(({ on }) => on > granted_on).at(-1);
  const why =
    earlier.length > 0 && ended
      ? `an earlier grant of ${earlier[0]?.on} ended on ${ended.on} (${ended.what})`
      : "the earliest on record";
  const since = endedSince ? `; ended on ${endedSince.on} (${endedSince.what}) without a later grant` : "";
  return `granted ${granted_on} (${from}), ${why}${since}`;
}
