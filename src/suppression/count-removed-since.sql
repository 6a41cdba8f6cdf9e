-- params: since, feeds
SELECT count(*) AS count FROM suppressed_business WHERE suppressed_at > $1 AND feeds && $2::text[]
