-- name: listWords :many
-- typed: vocabulary CodedColumn from ./vocabularies.ts
SELECT vocabulary, value, meaning FROM registry_word;

-- name: updateMeanings :exec
-- params: vocabularies, values, meanings
UPDATE registry_word AS word SET meaning = now.meaning
FROM unnest($1::text[], $2::text[], $3::text[]) AS now (vocabulary, value, meaning)
WHERE word.vocabulary = now.vocabulary AND word.value = now.value;
