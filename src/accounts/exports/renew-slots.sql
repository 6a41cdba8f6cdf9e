-- params: runIds, leaseSeconds
UPDATE export_slot SET lease_until = now() + make_interval(secs => $2) WHERE run_id = ANY ($1::uuid[])
