-- How many public projects hold a topic: the number for those who do not see all projects.
alter table topics add column public_projects_count integer not null default 0;
create index topics_public_projects_count on topics (public_projects_count, id);

update topics t set public_projects_count = c.n
from (select lower(h.name) as name, count(distinct p.id) as n
      from projects p cross join lateral unnest(p.topics) as h (name) where p.visibility = 20 group by 1) c
where lower(t.name) = c.name;

create or replace function count_topics() returns trigger language plpgsql as $$
declare
    gone text[] := '{}';
    come text[] := '{}';
    public_gone text[] := '{}';
    public_come text[] := '{}';
begin
    if tg_op <> 'INSERT' then
        gone := (select coalesce(array_agg(lower(t)), '{}') from unnest(old.topics) t);
        if old.visibility = 20 then public_gone := gone; end if;
    end if;
    if tg_op <> 'DELETE' then
        come := (select coalesce(array_agg(lower(t)), '{}') from unnest(new.topics) t);
        if new.visibility = 20 then public_come := come; end if;
    end if;
    if gone = come and public_gone = public_come then
        return null;
    end if;
    perform from topics where lower(name) = any(gone || come) order by id for no key update; -- in one order, or two would wait for each other
    update topics set
        total_projects_count = total_projects_count + (lower(name) = any(come))::int - (lower(name) = any(gone))::int,
        public_projects_count = public_projects_count
            + (lower(name) = any(public_come))::int - (lower(name) = any(public_gone))::int
    where lower(name) = any(gone || come);
    return null;
end $$;

drop trigger projects_count_topics on projects;
create trigger projects_count_topics after insert or delete or update of topics, visibility on projects
for each row execute function count_topics();
