import type pg from "pg";

/** A phone or e-mail that more active USDOT numbers file is an agent's or a dispatch service's, not a carrier's. */
export const MOST_SHARING_USDOTS = 5;

/**
 * Finds anew, over the whole registry, which contacts are shared: those filed in the census, and phones that only
 * Motus or the frozen registry has. Returns how many are.
 */
export async function findSharedContacts(client: pg.ClientBase): Promise<number> {
  await client.query("DELETE FROM shared_contact");
  const { rowCount } = await client.query(
    `INSERT INTO shared_contact (value, usdot_count)
     SELECT value, count(*) FROM (
       SELECT phone AS value FROM census WHERE status_code = 'A' AND phone IS NOT NULL
       UNION ALL
       SELECT cell_phone FROM census
       WHERE status_code = 'A' AND cell_phone IS NOT NULL AND cell_phone IS DISTINCT FROM phone
       UNION ALL
       SELECT email FROM census WHERE status_code = 'A' AND email IS NOT NULL
       UNION ALL
       (SELECT DISTINCT ON (authority.usdot, registry_phone) registry_phone
        FROM authority LEFT JOIN census USING (usdot)
        WHERE authority.status = 'active' AND registry_phone IS NOT NULL
          AND coalesce(census.status_code, 'A') = 'A'
          AND registry_phone IS DISTINCT FROM census.phone AND registry_phone IS DISTINCT FROM census.cell_phone)
     ) AS contact GROUP BY value HAVING count(*) > $1`,
    [MOST_SHARING_USDOTS],
  );
  return rowCount ?? 0;
}
