-- What users did with snippets of projects is shown as what they do with issues, and the sizes of snippets are counted.
alter table user_events
    add snippet_id bigint, -- the target, or what the note is on
    add constraint user_events_snippet_id_fkey foreign key (snippet_id) references snippets on delete cascade;
create index user_events_snippet_id on user_events (snippet_id) where snippet_id is not null;

alter table projects add column snippets_size bigint not null default 0;
alter table snippets add column size bigint not null default 0; -- bytes of its repository, when it was last measured
update snippets s set size = r.size from repositories r where r.snippet_id = s.id and r.size > 0;
update projects p set snippets_size = c.size
from (select project_id, sum(size) as size from snippets where size > 0 group by project_id) c where p.id = c.project_id;

create function count_snippets() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' then
        update projects p set snippets_size = greatest(0, p.snippets_size - c.size)
        from (select project_id, sum(size) as size from changed group by project_id having sum(size) > 0) c
        where p.id = c.project_id;
    else
        update projects p set snippets_size = greatest(0, p.snippets_size + c.size)
        from (select n.project_id, sum(n.size - o.size) as size from changed n join former o on o.id = n.id
              group by n.project_id having sum(n.size - o.size) <> 0) c
        where p.id = c.project_id;
    end if;
    return null;
end $$;
create trigger snippets_measured after update on snippets referencing old table as former new table as changed
    for each statement execute function count_snippets();
create trigger snippets_removed after delete on snippets referencing old table as changed
    for each statement execute function count_snippets();
