-- params: dataset
-- typed: known Record<string, Record<string, number>>
SELECT profile -> 'unknownValues' AS known FROM source WHERE dataset = $1
