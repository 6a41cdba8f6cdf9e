-- How many of these migrations the database has.
-- params: names
SELECT count(*) AS applied FROM _prisma_migrations
WHERE migration_name = ANY ($1) AND finished_at IS NOT NULL AND rolled_back_at IS NULL
