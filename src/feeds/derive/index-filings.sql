-- Whatever the planner expects of the statements that join these tables, it finds their rows by an index and never compares
-- each row with each.
-- params: none
-- after: find-pending-cancellations.sql, find-legacy-filings.sql
CREATE INDEX ON pending_cancellation (docket, kind, policy_key);
CREATE INDEX ON legacy_filing (docket, kind);
ANALYZE pending_cancellation, legacy_filing
