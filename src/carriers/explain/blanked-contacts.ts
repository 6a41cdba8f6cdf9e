import type pg from "pg";
import { dayOf } from "../../platform/clock.ts";
import { loadSql } from "../../platform/database/sql.ts";

const readBlankedContacts = loadSql(import.meta.url, "blanked-contacts.sql");

/** A filed contact that no record shows. */
export interface BlankedContact {
  field: string;
  value: string;
  why: string;
}

interface Reasons {
  shared_by: number | null;
  agent_by: "phone" | "email_domain" | null;
  note: string | null;
  /** The request that put it on the removal list. */
  removed_by: number | null;
  removed_at: Date | null;
}

/** The filed contacts of a carrier that no record shows, each with the reasons in words. */
export async function blankedContacts(client: pg.ClientBase, usdot: number): Promise<BlankedContact[]> {
  const { rows } = await client.query<Reasons & { field: string; value: string }>(readBlankedContacts, [
    usdot,
  ]);
  return rows.map(({ field, value, ...reasons }) => ({ field, value, why: inWords(reasons) }));
}

function inWords({ shared_by, agent_by, note, removed_by, removed_at }: Reasons): string {
  const what = agent_by === "phone" ? "its number" : "its domain";
  return [
    shared_by === null ? null : `shared: ${shared_by} active USDOT numbers file it`,
    agent_by === null ? null : `an agent's: ${what} is on the list${note ? ` (${note})` : ""}`,
    removed_at === null ? null : `on the removal list since ${dayOf(removed_at)} (request ${removed_by})`,
  ]
    .filter((reason) => reason !== null)
    .join("; ");
}
