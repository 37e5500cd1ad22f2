-- Who may read what a job left behind, beside its runner and the jobs that need it.
alter table job_artifacts add column access text not null default 'all',
    add constraint job_artifacts_access_check check (access in ('all', 'developer', 'maintainer', 'none'));
update job_artifacts set access = 'developer' where not public;
alter table job_artifacts drop column public;

-- The trace of a job that is debugged shows the values of variables.
alter table jobs add column debug_trace boolean not null default false,
    add column environment_url text; -- with the variables that were known when the pipeline was made
