// Many rows of registry tables at once, by one statement each.
import type pg from "pg";
import { stagedColumns } from "../../../src/importer/official/official-files.ts";

type Client = Pick<pg.ClientBase, "query">;

/** What a staged row is, by its number n. */
const STAGED = {
  motus_authhist: `SELECT md5(n::text)::uuid, 'MC' || n / 2, n, 'Broker', 'broker', 'active', 'Granted', DATE '2026-09-01'`,
  motus_insur: `SELECT md5(n::text)::uuid, 'MC' || n / 2, n, '91X', '1', 'P', 750000, 'AB', 'AB', NULL, NULL, NULL`,
  census: `SELECT n, 'A', 'CARRIER ' || n, NULL, NULL, NULL, 'TX', NULL, NULL, 'US', NULL, NULL, NULL, 1, 1, false, NULL, NULL, NULL, NULL, NULL,
    NULL, NULL, NULL, NULL, NULL, NULL`,
} as const;

/** A dataset that `stageMany` makes rows of. */
export type ManyDataset = keyof typeof STAGED;

/** Makes rows with the numbers from 0, two to a docket, the only staged ones of a dataset. */
export async function stageMany(
  client: Client,
  dataset: ManyDataset,
  { count, leftOut }: { count: number; leftOut: readonly number[] },
): Promise<void> {
  await client.query(`TRUNCATE staging.${dataset}`);
  await client.query(
    `INSERT INTO staging.${dataset} (${stagedColumns(dataset)}) ${STAGED[dataset]}
     FROM generate_series(0, $1::int - 1) AS n WHERE n <> ALL ($2::int[])`,
    [count, leftOut],
  );
}

/** Puts legacy carriers with the numbers from 1, each with a docket of freight forwarders. */
export async function putManyForwarders(client: Client, count: number): Promise<void> {
  await client.query(
    `INSERT INTO legacy_carrier (row_id, docket, usdot, common_stat, common_pending, contract_pending, broker_pending,
       common_revoking, contract_revoking, broker_revoking, property, passenger, household_goods)
     SELECT md5(n::text)::uuid, 'FF' || n, n, 'A', false, false, false, false, false, false, false, false, false
     FROM generate_series(1, $1::int) AS n`,
    [count],
  );
}

/** Puts orders against the brokers with the numbers from 1 into a table of orders, stored or staged. */
export async function putManyOrders(client: Client, table: string, count: number): Promise<void> {
  await client.query(
    `INSERT INTO ${table} (row_id, docket, usdot, op_auth_type, authority_class, effective_on, order_type)
     SELECT gen_random_uuid(), 'MC' || n, n, 'Broker', 'broker', '2026-11-20', 'Notice'
     FROM generate_series(1, $1::int) AS n`,
    [count],
  );
}
