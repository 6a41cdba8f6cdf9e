-- Of the tables that feeds are made from, most are temporary: no other process can read those. Where a few tables that
-- others can read are joined with them, handing every row over costs more than it saves.
-- params: none
-- after: set-merge-memory.sql
SET LOCAL parallel_tuple_cost TO DEFAULT
