-- params: none
SELECT migration_name AS name, checksum FROM _prisma_migrations
WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name
