import { dayOf } from "../../platform/clock.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import * as sql from "./statements.ts";

/** A filed contact that no record shows. */
export interface BlankedContact {
  field: string;
  value: string;
  why: string;
}

type Reasons = Omit<sql.FindBlankedRow, "field" | "value">;

/** The filed contacts of a carrier that no record shows, each with the reasons in words. */
export async function blankedContacts(client: Queryable, usdot: number): Promise<BlankedContact[]> {
  const { rows } = await sql.findBlanked.run(client, { usdot });
  return rows.map(({ field, value, ...reasons }) => ({ field, value, why: inWords(reasons) }));
}

function inWords({ shared_by, agent_by, note, removed_by, removed_at }: Reasons): string {
  const what = { phone: "its number", email: "its address", email_domain: "its domain" }[agent_by ?? "phone"];
  return [
    shared_by === null ? null : `shared: ${shared_by} active USDOT numbers file it`,
    agent_by === null ? null : `an agent's: ${what} is on the list${note ? ` (${note})` : ""}`,
    removed_at === null ? null : `on the removal list since ${dayOf(removed_at)} (request ${removed_by})`,
  ]
    .filter((reason) => reason !== null)
    .join("; ");
}
