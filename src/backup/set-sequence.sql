-- Continues a sequence behind a number. A database of an older program may lack the sequence.
-- params: name, value
SELECT setval(sequence, $2) AS value FROM to_regclass($1) AS sequence WHERE sequence IS NOT NULL
