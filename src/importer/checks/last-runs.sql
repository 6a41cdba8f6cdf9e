-- params: limit
-- never null: asOf
-- typed: contradictions Contradictions from ../../registry/authorities/contradictions.ts
SELECT as_of AS "asOf", report -> 'contradictions' AS contradictions,
  (SELECT coalesce(sum(value::int), 0)::int FROM jsonb_each_text(report -> 'events')) AS events
FROM import_run WHERE status = 'published' ORDER BY id DESC LIMIT $1
