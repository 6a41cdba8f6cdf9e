-- params: replacedBefore
DELETE FROM feed_version WHERE replaced_at < $1 RETURNING id
