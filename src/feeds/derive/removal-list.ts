import type pg from "pg";

/**
 * Makes the temporary tables `removed_business` and `removed_contact`, copies of the removal list. So all feeds leave out
 * the same, also when the list changes while they are built. Returns a hash of the copies.
 */
export async function openRemovalList(client: pg.ClientBase): Promise<string> {
  await client.query("DROP TABLE IF EXISTS removed_business, removed_contact");
  await client.query(
    "CREATE TEMP TABLE removed_business ON COMMIT DROP AS SELECT usdot, removed_at FROM removal_list_business",
  );
  await client.query(
    "CREATE TEMP TABLE removed_contact ON COMMIT DROP AS SELECT value, removed_at FROM removal_list_contact",
  );
  const { rows } = await client.query<{ hash: string }>(
    `SELECT encode(sha256(convert_to(concat_ws('|',
       (SELECT string_agg(usdot::text, ',' ORDER BY usdot) FROM removed_business),
       (SELECT string_agg(value, ',' ORDER BY value) FROM removed_contact)), 'UTF8')), 'hex') AS hash`,
  );
  return rows[0]?.hash ?? "";
}
