-- params: table, leaseUntil
UPDATE upkeep SET lease_until = $2 WHERE table_name = $1
