-- The filed contacts of a carrier that no record shows, and why: the lists of feeds/derive/make-companies.sql.
-- params: usdot
-- typed: agent_by "phone" | "email" | "email_domain"
-- never null: value
WITH filed AS (
  SELECT 'phone' AS field, coalesce(census.phone, holder.registry_phone) AS value
  FROM (SELECT $1::integer AS usdot) AS asked
  LEFT JOIN census USING (usdot)
  LEFT JOIN LATERAL (
    SELECT registry_phone FROM authority WHERE authority.usdot = asked.usdot
    ORDER BY status = 'active' DESC, status_source = 'motus' DESC, docket, authority_class LIMIT 1
  ) AS holder ON true
  UNION ALL
  SELECT 'cell_phone', cell_phone FROM census WHERE usdot = $1
  UNION ALL
  SELECT 'email', email FROM census WHERE usdot = $1
)
SELECT DISTINCT ON (filed.field) filed.field, filed.value, shared_contact.usdot_count AS shared_by, agent_contact.kind AS agent_by,
  agent_contact.note, removed.request_id AS removed_by, removed.removed_at
FROM filed
LEFT JOIN shared_contact ON shared_contact.value = filed.value
LEFT JOIN agent_contact
  ON agent_contact.kind IN ('phone', 'email') AND agent_contact.value = filed.value
  OR agent_contact.kind = 'email_domain' AND filed.field = 'email'
    AND agent_contact.value = split_part(filed.value, '@', 2)
LEFT JOIN removal_list_contact AS removed ON removed.value = filed.value
WHERE shared_contact.value IS NOT NULL OR agent_contact.value IS NOT NULL OR removed.value IS NOT NULL
ORDER BY filed.field, agent_contact.kind
