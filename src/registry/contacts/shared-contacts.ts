import type pg from "pg";

/** A phone or e-mail on more active USDOT numbers than this belongs to an agent or a dispatch service, not a carrier. */
export const MOST_SHARING_USDOTS = 5;

/**
 * Recomputes which contacts are shared, over the whole registry: those of the census, and phones that only Motus or the
 * legacy registry has. Returns their number.
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
