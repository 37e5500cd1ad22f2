-- What a schedule gives its pipelines for the inputs of the definition: [{"name": "kind", "value": "all"}].
alter table pipeline_schedules
    add column inputs jsonb not null default '[]',
    add constraint pipeline_schedules_inputs_check check (jsonb_typeof(inputs) = 'array');

-- How much a project keeps in artifacts and traces of jobs.
create function count_job_artifacts() returns trigger language plpgsql as $$
begin
    update projects p
    set job_artifacts_size = greatest(0, p.job_artifacts_size + case tg_op when 'INSERT' then c.size else -c.size end)
    from (select project_id, sum(size) as size from changed group by project_id order by project_id) c
    where p.id = c.project_id;
    return null;
end $$;
create trigger job_artifacts_added after insert on job_artifacts referencing new table as changed
    for each statement execute function count_job_artifacts();
create trigger job_artifacts_removed after delete on job_artifacts referencing old table as changed
    for each statement execute function count_job_artifacts();
update projects p set job_artifacts_size = c.size
from (select project_id, sum(size) as size from job_artifacts group by project_id) c where p.id = c.project_id;
