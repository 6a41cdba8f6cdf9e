// A registry at random, for rules that have to agree on every carrier.
import type pg from "pg";

/** One of several values at random, as SQL; maybe NULL. */
const oneOf = (...values: readonly (string | number | null)[]): string => {
  const list = values.map((value) => (typeof value === "string" ? `'${value}'` : String(value ?? "NULL")));
  return `(ARRAY [${list.join(", ")}])[1 + floor(random() * ${values.length})::int]`;
};
const day = (from: number, to: number): string =>
  `DATE '2026-11-20' + (${from} + floor(random() * ${to - from + 1}))::int`;

/**
 * A registry of many carriers close to the limits of every rule: random statuses, grants, orders, fleets, filings and
 * cancellations, far odder than a real one; some carriers are removed. The same seed gives the same registry.
 */
export async function putRandomRegistry(
  client: pg.ClientBase,
  { seed, carriers: count }: { seed: number; carriers: number },
): Promise<void> {
  await client.query("SELECT setseed($1)", [seed / 1000]);
  const carriers = `generate_series(1, ${count}) AS usdot`;
  await client.query(`
    INSERT INTO suppressed_business (usdot, request_id, suppressed_at)
    SELECT usdot, 1, '2026-11-19T08:00:00Z' FROM ${carriers} WHERE random() < 0.05`);
  const statuses = oneOf("active", "active", "active", "active", "inactive", "pending", "withdrawn");
  await client.query(`
    INSERT INTO census (usdot, status_code, legal_name, state, country, phone, power_units, general_freight)
    SELECT usdot, ${oneOf("A", "A", "A", "A", "I", "P")},
      ${oneOf("SMITH FREIGHT LLC", "SMITH FREIGHT LLC", "SMITH FREIGHT LLC", "MOTUS TEST CARRIER", "TESTA LLC", null)},
      ${oneOf("TX", "CA", "ON", null)}, ${oneOf("US", "US", "US", "US", "CA", null)},
      ${oneOf("3605550142", "3605550143", null)}, ${oneOf(0, 1, 2, 19, 20, 21, 400, null)}, random() < 0.2
    FROM ${carriers} WHERE random() < 0.95`);
  await client.query(`
    INSERT INTO authority (docket, authority_class, usdot, op_auth_type, status, status_source, granted_on,
      revocation_pending, registry_name, registry_country, first_seen_on, in_motus)
    SELECT 'MC' || usdot * 10 + nth, class, usdot, 'x', ${statuses}, ${oneOf("motus", "motus", "legacy")},
      CASE WHEN random() < 0.9 THEN ${day(-40, 3)} END, random() < 0.1,
      ${oneOf("REGISTRY NAME INC", "REGISTRY NAME INC", null)}, ${oneOf("US", "US", "MX", null)}, '2026-01-01', true
    FROM ${carriers} CROSS JOIN generate_series(1, 2) AS nth
    CROSS JOIN unnest(ARRAY ['carrier_property', 'carrier_hhg', 'broker', 'freight_forwarder', 'passenger']) AS class
    WHERE random() < 0.35`);
  await client.query(`
    INSERT INTO pending_revocation (docket, authority_class, usdot, served_on, effective_on, order_type, source, named_on)
    SELECT DISTINCT ON (docket, authority_class, usdot, coalesce(served_on, effective_on)) docket, authority_class,
      usdot, served_on, effective_on, 'Involuntary Suspension Notice', 'motus', coalesce(served_on, effective_on)
    FROM (
      SELECT authority.*, CASE WHEN random() < 0.9 THEN ${day(-30, 0)} END AS served_on, ${day(1, 30)} AS effective_on
      FROM authority CROSS JOIN generate_series(1, 2) WHERE status = 'active' AND random() < 0.1
    ) AS ordered`);
  await client.query(`
    INSERT INTO motus_carrier (row_id, docket, usdot, op_auth_type, authority_class, status, min_coverage, bipd_on_file,
      cargo_required, cargo_on_file, bond_required, bond_on_file)
    SELECT gen_random_uuid(), docket, usdot, 'x', authority_class, status, ${oneOf(0, 750_000, null)},
      ${oneOf(0, 750_000, 750_000, 750_000, null)}, random() < 0.5, random() < 0.8, random() < 0.3, random() < 0.8
    FROM authority WHERE status_source = 'motus'`);
  await client.query(`
    INSERT INTO motus_authhist (row_id, docket, usdot, op_auth_type, authority_class, status, reason, changed_on)
    SELECT gen_random_uuid(), docket, usdot, 'x', authority_class, ${oneOf("inactive", "inactive", "active")},
      ${oneOf("Involuntary Suspension - insurance cancellation effective", "Involuntary Suspension - BOC-3", "Reinstated")},
      ${day(-40, 2)}
    FROM authority CROSS JOIN generate_series(1, 2) WHERE random() < 0.4`);
  await client.query(`
    INSERT INTO motus_inshist (row_id, docket, usdot, filing_status, type_code, policy_key, cancelled_on, insurer)
    SELECT gen_random_uuid(), docket, usdot, ${oneOf("CANCEL", "CANCELLED", "TERM/REPL", "NAMECHG")},
      ${oneOf("1", "2", "3", "4")}, ${oneOf("A1", "B2", "")}, CASE WHEN random() < 0.9 THEN ${day(-40, 100)} END, 'INSURER'
    FROM authority WHERE random() < 0.5`);
  await client.query(`
    INSERT INTO motus_insur (row_id, docket, usdot, type_code, policy_key, effective_on, filed_on, insurer)
    SELECT gen_random_uuid(), docket, usdot, ${oneOf("1", "2", "3", "4")}, ${oneOf("A1", "B2", "C3", "")},
      ${day(-60, 60)}, ${day(-60, 0)}, 'INSURER'
    FROM authority WHERE random() < 0.5`);
}
