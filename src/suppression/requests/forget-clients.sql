-- params: beforeMinute
DELETE FROM removal_client WHERE minute < $1
