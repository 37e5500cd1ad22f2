-- A job is written a dozen times within minutes, and the index of those that wait would keep an entry
-- of each version until a fifth of all jobs that there ever were has changed.
alter table jobs set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
alter table job_trace_chunks set (autovacuum_vacuum_scale_factor = 0.05);

-- Lists count their jobs without reading them.
drop index jobs_of_project;
create index jobs_of_project on jobs (project_id, id) include (kind);
drop index jobs_status;
create index jobs_status on jobs (project_id, status, id) include (kind);
create index jobs_runner_status on jobs (runner_id, status, id) where runner_id is not null;
