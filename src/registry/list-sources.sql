-- params: none
-- typed: dataset Dataset from ./datasets.ts
SELECT dataset, rows, newest_row_on AS "newestRowOn", profile, imported_at AS "importedAt",
  changed_on AS "changedOn"
FROM source ORDER BY dataset
