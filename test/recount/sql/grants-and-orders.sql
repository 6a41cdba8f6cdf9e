-- The grant day of every authority, and pending orders against it.

-- Grants and losses. A row of the legacy history is about common or contract authority; all others are about both.
CREATE TEMP TABLE move AS
SELECT docket, authority_class, NULL AS kind, changed_on AS day, status = 'active' AS is_grant FROM recount.history
WHERE meaning = 'grant' AND status = 'active' OR status NOT IN ('active', 'pending')
UNION
SELECT docket, authority_class, kind, action_on, true FROM recount.legacy_history WHERE action = 'GRANTED'
UNION
SELECT docket, authority_class, kind, final_on, false FROM recount.legacy_history
-- Final actions that end an authority; others stop a proceeding, change a number or withdraw an application.
WHERE final_action IN ('REVOKED', 'FAILURE TO REAPPLY', 'ADMINISTRATIVE INACTIVATION', 'TRANSFERRED',
  'TRANSFER CONSUMMATED', 'OUT OF SERVICE', 'SAFETY REVOCATION', 'SAFETY SUSPENSION', 'EXPIRED ETA OR TA', 'TERM EXPIRED');
DELETE FROM move WHERE day IS NULL OR day > (SELECT registry_day FROM recount.import_day);
CREATE INDEX ON move (docket);
ANALYZE move;

-- The grant day of each kind: the first grant after the last loss before the newest grant. That of the authority is the
-- earliest of the kinds that were not lost since, else the latest.
UPDATE recount.authority SET granted_on = granted.day
FROM (
  SELECT docket, authority_class, coalesce(min(day) FILTER (WHERE NOT is_lost), max(day)) AS day
  FROM (
    SELECT docket, authority_class, newest.kind,
      (SELECT min(move.day) FROM move
       WHERE move.docket = newest.docket AND move.authority_class = newest.authority_class AND is_grant
         AND coalesce(move.kind = newest.kind, true) AND move.day >= coalesce(lost.day, move.day)) AS day,
      EXISTS (SELECT FROM move
       WHERE move.docket = newest.docket AND move.authority_class = newest.authority_class AND NOT is_grant
         AND coalesce(move.kind = newest.kind, true) AND move.day > newest.day) AS is_lost
    FROM (
      SELECT docket, authority_class, kinds.kind, max(move.day) AS day
      FROM (
        SELECT docket, authority_class, unnest(CASE WHEN max(kind) IS NULL THEN ARRAY [NULL] ELSE array_agg(DISTINCT kind) FILTER (WHERE kind IS NOT NULL) END) AS kind
        FROM move GROUP BY docket, authority_class
      ) AS kinds
      JOIN move USING (docket, authority_class)
      WHERE is_grant AND coalesce(move.kind = kinds.kind, true)
      GROUP BY docket, authority_class, kinds.kind
    ) AS newest
    CROSS JOIN LATERAL (
      SELECT max(move.day) AS day FROM move
      WHERE move.docket = newest.docket AND move.authority_class = newest.authority_class AND NOT is_grant
        AND coalesce(move.kind = newest.kind, true) AND move.day <= newest.day
    ) AS lost
  ) AS of_kind
  GROUP BY docket, authority_class
) AS granted
WHERE authority.docket = granted.docket AND authority.authority_class = granted.authority_class;
DROP TABLE move;

-- 9.3: an order against an active authority that is not in effect yet and not cured. Its day is the day of service, or,
-- if that is impossible, the day on which it takes effect.
-- CASCADE also drops the view of records.sql, which is created again after this.
DROP TABLE IF EXISTS recount.pending CASCADE;
CREATE TABLE recount.pending AS
SELECT authority.docket, authority.authority_class, authority.usdot,
  served.day AS served_on, notice.effective_on, notice.order_type, 'motus' AS source,
  coalesce(served.day, notice.effective_on) AS day
FROM recount.import_day
JOIN recount.notice ON NOT is_voluntary AND effective_on > registry_day
CROSS JOIN LATERAL (SELECT CASE WHEN served_on <= registry_day THEN served_on END AS day) AS served
JOIN recount.authority ON notice.authority_class IN (authority.authority_class, 'unknown') AND authority.status = 'active'
  AND CASE WHEN notice.docket IS NULL THEN authority.usdot = notice.usdot ELSE authority.docket = notice.docket
    -- Carrier may have the company's authority without the docket of the order.
    OR authority.docket = 'DOT' || notice.usdot AND (notice.docket, authority.authority_class, notice.usdot) NOT IN (
      SELECT docket, authority_class, usdot FROM recount.motus) END
-- Of companies that share a docket an order is against the one that it names.
WHERE NOT EXISTS (
  SELECT FROM recount.authority AS meant
  WHERE meant.docket = authority.docket AND meant.authority_class = authority.authority_class
    AND meant.usdot = notice.usdot AND authority.usdot <> notice.usdot)
AND NOT EXISTS (
  SELECT FROM recount.history AS cure
  WHERE cure.docket IN (authority.docket, notice.docket) AND cure.authority_class = authority.authority_class AND cure.status = 'active'
    AND cure.meaning IN ('grant', 'reinstatement', 'dropped')
    AND coalesce(cure.usdot = authority.usdot, true)
    AND cure.changed_on >= coalesce(served.day, notice.effective_on - 30) AND cure.changed_on <= registry_day
    -- A cure of another type that the docket has, too, cures that one.
    AND (SELECT count(DISTINCT recount.words(op_auth_type)) FROM recount.motus AS typed
      WHERE typed.docket = authority.docket AND typed.authority_class = authority.authority_class
        AND recount.words(typed.op_auth_type) IN (notice.wording, recount.words(cure.op_auth_type))) < 2)
UNION ALL
-- The legacy registry's flags, while its proceedings can still be open. Their day is in the open row of its history.
SELECT authority.docket, authority.authority_class, authority.usdot, opened.action_on, opened.action_on + 33, opened.action,
  'legacy', opened.action_on
FROM recount.import_day
JOIN recount.authority ON authority.is_flagged AND authority.status = 'active' AND registry_day <= DATE '2026-06-20'
JOIN recount.legacy_history AS opened ON opened.docket = authority.docket
  AND opened.authority_class = authority.authority_class
  AND opened.action = 'INVOLUNTARY REVOCATION' AND opened.final_action IS NULL AND opened.action_on <= registry_day;
CREATE INDEX ON recount.pending (docket);
