-- params: source
SELECT field FROM recorded_field WHERE source = $1
