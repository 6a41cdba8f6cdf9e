-- params: before
DELETE FROM removal_confirmation WHERE queued_at < $1
