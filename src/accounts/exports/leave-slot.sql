-- params: runId
DELETE FROM export_slot WHERE run_id = $1
