-- params: none
-- typed: dataset Dataset from ./datasets.ts
SELECT dataset, newest_row_on AS day FROM source
