-- Whole files are compared, sorted and indexed. With the default of 4 MB these steps would write temporary files. A third
-- of the default sample is enough for the planner: the columns are names, numbers and days. Comparing files finds few rows
-- among many. The planner expects many, so at its own cost per row it would not share that work among processes.
-- params: none
SET LOCAL work_mem = '64MB';
SET LOCAL maintenance_work_mem = '256MB';
SET LOCAL default_statistics_target = 30;
SET LOCAL parallel_tuple_cost = 0.001
