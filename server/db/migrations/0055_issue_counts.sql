-- How many open issues a project has, by whether they are confidential: callers who do not see
-- these are shown the others. Several rows of a project add up, so that changes of its issues do
-- not wait for each other; which one a session changes depends on its process.
create table open_issue_counts (
    project_id   bigint not null,
    slot         smallint not null,
    open         integer not null,
    confidential integer not null, -- of open
    constraint open_issue_counts_pkey primary key (project_id, slot),
    constraint open_issue_counts_project_id_fkey foreign key (project_id) references projects on delete cascade
);

insert into open_issue_counts (project_id, slot, open, confidential)
select project_id, 0, count(*), count(*) filter (where confidential)
from issues where state = 'opened' group by project_id;

alter table projects drop column open_issues_count;

-- A project that is deleted with its issues is left out.
create function add_open_issues(projects bigint[], opens integer[], secrets integer[]) returns void
language sql as $$
    insert into open_issue_counts as c (project_id, slot, open, confidential)
    select d.project_id, pg_backend_pid() % 8, sum(d.open), sum(d.secret)
    from unnest(projects, opens, secrets) as d(project_id, open, secret)
    where exists (select from projects p where p.id = d.project_id)
    group by d.project_id having sum(d.open) <> 0 or sum(d.secret) <> 0
    order by d.project_id
    on conflict (project_id, slot) do update
        set open = c.open + excluded.open, confidential = c.confidential + excluded.confidential;
$$;

create or replace function count_open_issues() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        perform add_open_issues(array_agg(project_id), array_agg(1), array_agg(confidential::int))
        from added where state = 'opened';
    elsif tg_op = 'DELETE' then
        perform add_open_issues(array_agg(project_id), array_agg(-1), array_agg(-confidential::int))
        from removed where state = 'opened';
    else
        perform add_open_issues(array_agg(a.project_id),
            array_agg((a.state = 'opened')::int - (r.state = 'opened')::int),
            array_agg((a.state = 'opened' and a.confidential)::int - (r.state = 'opened' and r.confidential)::int))
        from removed r join added a on a.id = r.id
        where (a.state, a.confidential) is distinct from (r.state, r.confidential);
    end if;
    return null;
end $$;
