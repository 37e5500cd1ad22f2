-- Forks. A network has the id of the project that it began with, which may be gone.
alter table projects
    add column forked_from_id bigint,
    add column fork_network_id bigint,
    add constraint projects_forked_from_id_fkey foreign key (forked_from_id) references projects on delete set null;
create index projects_forked_from_id on projects (forked_from_id) where forked_from_id is not null;

create function count_forks() returns trigger language plpgsql as $$
declare
    gone bigint;
    come bigint;
begin
    if tg_op <> 'INSERT' then gone := old.forked_from_id; end if;
    if tg_op <> 'DELETE' then come := new.forked_from_id; end if;
    if gone is not distinct from come then
        return null;
    end if;
    update projects set forks_count = forks_count + (id is not distinct from come)::int - (id is not distinct from gone)::int
    where id in (gone, come);
    return null;
end $$;
create trigger projects_count_forks after insert or delete or update of forked_from_id on projects
for each row execute function count_forks();
