-- params: none
-- never null: column, value, rows
-- typed: dataset Dataset from ./datasets.ts
SELECT dataset, columns.key AS column, met.key AS value, met.value::int AS rows
FROM source
CROSS JOIN LATERAL jsonb_each(coalesce(profile -> 'unknownValues', '{}')) AS columns
CROSS JOIN LATERAL jsonb_each_text(columns.value) AS met
ORDER BY rows DESC, dataset, "column", value
