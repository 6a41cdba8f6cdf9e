-- name: findAuthorities :many
-- Every authority of a carrier with its history, pending orders and insurance, as an operator sees them. The docket is
-- null if the registry gave none, first_seen_on if the program did not record that day yet. Feeds show the pending
-- order that takes effect first. `ends` are changes that ended the authority. `coverage` is what Motus requires and has
-- on file, in dollars. It and `carrier_status` are null if Motus Carrier has no row. `newest_history` is the newest day
-- of Motus AuthHist, with the meaning of the reasons (vocabularies.yaml).
-- params: usdot, legacyCarrierClasses
-- typed: grants HistoryRow[] from ./explained-authorities.ts
-- typed: ends HistoryRow[] from ./explained-authorities.ts
-- typed: pending_revocations PendingRevocation[] from ./explained-authorities.ts
-- typed: coverage Record<string, number | boolean | null>
-- typed: policies Record<string, string | null>[]
-- typed: ended_policies Record<string, string | null>[]
-- typed: newest_history StatusChange[] from ./explained-authorities.ts
SELECT
  shown_docket(authority.docket) AS docket, authority.authority_class, authority.op_auth_type, authority.status,
  authority.status_source, authority.granted_on, nullif(authority.first_seen_on, '1970-01-01') AS first_seen_on,
  coalesce(grants.rows, '[]') AS grants,
  coalesce(ends.rows, '[]') AS ends,
  authority.revocation_pending AS in_revocation_by_legacy,
  coalesce((
    SELECT json_agg(json_build_object('order_type', order_type, 'served_on', served_on, 'effective_on', effective_on,
      'source', source) ORDER BY effective_on, served_on)
    FROM pending_revocation AS pending
    WHERE pending.docket = authority.docket AND pending.authority_class = authority.authority_class
      AND pending.usdot = authority.usdot), '[]') AS pending_revocations,
  (
    SELECT json_build_object('min_coverage', min_coverage, 'bipd_on_file', bipd_on_file,
      'cargo_required', cargo_required, 'cargo_on_file', cargo_on_file,
      'bond_required', bond_required, 'bond_on_file', bond_on_file)
    FROM motus_carrier
    WHERE motus_carrier.docket = authority.docket AND motus_carrier.authority_class = authority.authority_class
      AND motus_carrier.usdot = authority.usdot
    ORDER BY motus_carrier.status = authority.status DESC, row_id LIMIT 1) AS coverage,
  coalesce((
    SELECT json_agg(policy ORDER BY policy.filed_on, policy.policy_no)
    FROM (
      SELECT DISTINCT kind, layer, type_code, policy_no, effective_on, insurer, filed_on FROM motus_policy
      WHERE motus_policy.docket = authority.docket) AS policy), '[]') AS policies,
  coalesce((
    SELECT json_agg(ended ORDER BY ended.cancelled_on, ended.policy_no)
    FROM (
      SELECT DISTINCT past.kind, past.layer, past.ending, past.type_code, past.filing_status, past.policy_no,
        past.cancelled_on, past.insurer, notice.noticed_after
      FROM motus_ended_policy AS past
      LEFT JOIN cancellation_notice AS notice ON notice.docket = past.docket AND notice.type_code = past.type_code
        AND notice.policy_key = past.policy_key AND notice.cancelled_on = past.cancelled_on
      WHERE past.docket = authority.docket) AS ended), '[]') AS ended_policies,
  coalesce((
    SELECT json_agg(json_build_object('on', changed_on, 'status', status, 'reason', reason, 'meaning', meaning)
      ORDER BY changed_on, reason)
    FROM motus_history AS newest
    WHERE newest.docket = authority.docket AND newest.authority_class = authority.authority_class
      AND coalesce(newest.usdot = authority.usdot, true)
      AND changed_on = (
        SELECT max(changed_on) FROM motus_authhist AS history
        WHERE history.docket = authority.docket AND history.authority_class = authority.authority_class
          AND coalesce(history.usdot = authority.usdot, true)
          AND history.changed_on <= coalesce((SELECT as_of FROM detection), 'infinity'::date))), '[]')
    AS newest_history,
  (
    SELECT status FROM motus_carrier
    WHERE motus_carrier.docket = authority.docket AND motus_carrier.authority_class = authority.authority_class
      AND motus_carrier.usdot = authority.usdot
    ORDER BY array_position(ARRAY ['active', 'pending', 'inactive', 'withdrawn'], status) NULLS LAST LIMIT 1
  ) AS carrier_status
FROM authority
-- A bare COMMON or CONTRACT of the legacy history applies to every carrier class of its docket.
CROSS JOIN LATERAL (
  SELECT json_agg(json_build_object('on', found.on_day, 'what', found.what, 'source', found.source)
    ORDER BY found.on_day) AS rows
  FROM (
    SELECT changed_on AS on_day, reason AS what, 'motus' AS source FROM motus_history AS history
    WHERE history.docket = authority.docket AND history.authority_class = authority.authority_class
      AND meaning = 'grant' AND status = 'active' AND changed_on IS NOT NULL
    UNION
    SELECT action_on, action, 'legacy' FROM legacy_authhist AS history
    WHERE history.docket = authority.docket AND action = 'GRANTED' AND action_on IS NOT NULL
      AND (history.authority_class = authority.authority_class
        OR history.authority_class = 'carrier'
          AND authority.authority_class = ANY ($2::text[]))
  ) AS found
) AS grants
CROSS JOIN LATERAL (
  SELECT json_agg(json_build_object('on', found.on_day, 'what', found.what, 'source', found.source)
    ORDER BY found.on_day) AS rows
  FROM (
    SELECT changed_on AS on_day, coalesce(reason, status) AS what, 'motus' AS source FROM motus_authhist AS history
    WHERE history.docket = authority.docket AND history.authority_class = authority.authority_class
      AND status NOT IN ('active', 'pending') AND changed_on IS NOT NULL
    UNION
    SELECT final_on, final_action, 'legacy' FROM legacy_authhist AS history
    WHERE history.docket = authority.docket AND final_on IS NOT NULL
      AND final_action <> 'DISCONTINUED REVOCATION'
      AND (history.authority_class = authority.authority_class
        OR history.authority_class = 'carrier'
          AND authority.authority_class = ANY ($2::text[]))
  ) AS found
) AS ends
WHERE authority.usdot = $1
ORDER BY authority.docket, authority.authority_class;
