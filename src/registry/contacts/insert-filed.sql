-- params: kinds, values, companies
INSERT INTO agent_contact (kind, value, note, shipped, from_filings)
SELECT kind, value, format('process agent of %s companies', companies), false, true
FROM unnest($1::text[], $2::text[], $3::int[]) AS contact (kind, value, companies)
ON CONFLICT (kind, value) DO NOTHING
