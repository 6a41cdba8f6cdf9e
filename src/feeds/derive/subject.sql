-- One row per authority of a US company that is active or was suspended lately, its columns named as the feeds name
-- them: what the feeds choose their records from. $1: the feeds' as-of day. $2: the day the legacy registry stopped. $3: the last day on which
-- the legacy registry's revocation flags say anything.
CREATE TEMP TABLE subject ON COMMIT DROP AS
SELECT
  company.*,
  company.usdot::text AS dot_number,
  authority.docket,
  shown_docket(authority.docket) AS docket_number,
  authority.authority_class,
  authority.authority_class AS authority_type,
  authority.authority_class AS entity_type,
  authority.status AS authority_status,
  authority.granted_on AS authority_granted,
  $1::date - authority.granted_on AS days_in_business,
  authority.status_source,
  -- Motus confirms a status as of its newest row; the frozen registry never after it stopped.
  CASE authority.status_source WHEN 'motus' THEN $1::date ELSE least($1::date, $2::date) END AS last_verified,
  EXISTS (
    SELECT FROM pending_revocation AS pending
    WHERE pending.docket = authority.docket AND pending.authority_class = authority.authority_class
      AND pending.usdot = authority.usdot
  ) OR authority.revocation_pending AND $1::date <= $3::date AS is_revocation_pending,
  company.cell_phone IS NOT NULL AS has_cell,
  phone_exchange.phone_type
FROM authority
JOIN company USING (usdot)
LEFT JOIN phone_exchange ON phone_exchange.exchange = left(company.phone, 6)
WHERE authority.status = 'active'
  OR (authority.docket, authority.authority_class, authority.usdot)
    IN (SELECT docket, authority_class, usdot FROM suspension)
