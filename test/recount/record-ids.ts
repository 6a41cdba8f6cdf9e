import type { Row } from "./recount.ts";

const COMPANY = ["dot_number"];
const AUTHORITY = ["dot_number", "docket_number", "authority_type"];

/** What makes a record the same one on another day. */
const IDENTITY: Readonly<Record<string, readonly string[]>> = {
  us_new_authority_weekly: COMPANY,
  us_small_carriers_active: COMPANY,
  us_revocation_pending: AUTHORITY,
  us_insurance_lapse_alerts: AUTHORITY,
  us_brokers: ["dot_number", "entity_type"],
};

/** Sees the records of all feeds and days. A record keeps its id, and no other record of any feed gets it. */
export class RecordIds {
  readonly #idOf = new Map<string, string>();
  readonly #ownerOf = new Map<string, string>();

  /** Ids that changed, or that two records have. */
  faultsOf(feed: string, rows: readonly Row[]): string[] {
    return rows.flatMap((row) => {
      const record = [feed, ...(IDENTITY[feed] ?? []).map((name) => row[name])].join(" ");
      const id = String(row.record_id);
      if (!/^[a-p]{16}$/.test(id)) return [`${record}: the id ${id} has another form`];
      const faults: string[] = [];
      const [before, owner] = [this.#idOf.get(record), this.#ownerOf.get(id)];
      if (before !== undefined && before !== id) faults.push(`${record}: the id ${before} became ${id}`);
      if (owner !== undefined && owner !== record) faults.push(`${record}: the id ${id} is that of ${owner}`);
      this.#idOf.set(record, id);
      this.#ownerOf.set(id, record);
      return faults;
    });
  }
}
