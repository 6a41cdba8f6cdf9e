-- Connections of other processes of this program to this database.
-- params: application
SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1
