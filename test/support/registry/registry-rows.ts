import { randomUUID } from "node:crypto";
import type pg from "pg";

/** Values by column. */
export type RegistryRow = Record<string, string | number | boolean | null>;

/** Default values of a row of each registry table. */
const DEFAULTS: Record<string, RegistryRow> = {
  census: {
    status_code: "A",
    legal_name: "EXAMPLE FREIGHT LLC",
    street: "1 MAIN ST",
    city: "AUSTIN",
    state: "TX",
    zip: "78701",
    county_fips: "453",
    country: "US",
    power_units: 3,
    drivers: 3,
    general_freight: false,
  },
  motus_carrier: {
    docket: "MC100001",
    usdot: 1001,
    op_auth_type: "Motor Carrier of Property (Except Household Goods)",
    authority_class: "carrier_property",
    status: "active",
    legal_name: "EXAMPLE FREIGHT LLC",
    country: "US",
  },
  motus_authhist: {
    docket: "MC100001",
    usdot: 1001,
    op_auth_type: "Motor Carrier of Property (Except Household Goods)",
    authority_class: "carrier_property",
    status: "active",
    reason: "Granted",
  },
  motus_revokesuspend: {
    op_auth_type: "Motor Carrier of Property (Except Household Goods)",
    authority_class: "carrier_property",
    served_on: "2026-11-10",
    effective_on: "2026-12-10",
    order_type: "Operating Authority Involuntary Suspension Notice",
  },
  motus_insur: {
    type_code: "1",
    policy_key: "OLD1",
    effective_on: "2025-01-01",
    filed_on: "2025-01-01",
  },
  motus_inshist: {
    filing_status: "CANCEL",
    type_code: "1",
    policy_key: "OLD1",
    cancelled_on: "2026-12-01",
    insurer: "EXAMPLE INSURANCE CO",
  },
  legacy_carrier: {
    docket: "MC100001",
    usdot: 1001,
    common_stat: "N",
    contract_stat: "N",
    broker_stat: "N",
    common_pending: false,
    contract_pending: false,
    broker_pending: false,
    common_revoking: false,
    contract_revoking: false,
    broker_revoking: false,
    property: false,
    passenger: false,
    household_goods: false,
    legal_name: "EXAMPLE FREIGHT LLC",
    country: "US",
  },
  legacy_insur: { type_code: "1", class_code: "P", policy_key: "OLD1", effective_on: "2025-01-01" },
  legacy_actpendinsur: { insurance_type: "BIPD/Primary", policy_key: "OLD1", effective_on: "2025-01-01" },
  legacy_inshist: { filing_status: "CANCEL", type_code: "1", policy_key: "OLD1", cancelled_on: "2026-03-01" },
  legacy_revocation: {},
  oos_order: {},
  legacy_authhist: {
    docket: "MC100001",
    usdot: 1001,
    op_auth_type: "COMMON",
    authority_class: "carrier",
    action: "GRANTED",
  },
};

/** A row with every column that its table must have. Columns that are not given have their defaults. */
export function wholeRow(tableName: string, row: RegistryRow): RegistryRow {
  const id = tableName.includes("_") && tableName in DEFAULTS ? { row_id: randomUUID() } : {};
  return { ...DEFAULTS[tableName], ...id, ...row };
}

/** Inserts a row into a registry table. */
export async function putRegistryRow(
  client: pg.ClientBase,
  tableName: string,
  row: RegistryRow,
): Promise<void> {
  const full = wholeRow(tableName, row);
  const names = Object.keys(full);
  const placeholders = names.map((_, index) => `$${index + 1}`);
  await client.query(
    `INSERT INTO ${tableName} (${names.join(", ")}) VALUES (${placeholders.join(", ")})`,
    Object.values(full),
  );
}
