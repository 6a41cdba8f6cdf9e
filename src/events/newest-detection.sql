-- params: none
SELECT finished_at AS "finishedAt", as_of AS "asOf" FROM detection
