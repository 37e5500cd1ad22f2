-- A job is written a dozen times within minutes, and the index of those that wait would keep an entry
-- of each version until a fifth of all jobs that there ever were has changed.
alter table jobs set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
alter table job_trace_chunks set (autovacuum_vacuum_scale_factor = 0.05);
