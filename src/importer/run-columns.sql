id, status, as_of AS "asOf", folder, started_at AS "startedAt", finished_at AS "finishedAt", refusal, report
