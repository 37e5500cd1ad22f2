-- Whoever locks epics has what orders the epics of the root group first: two transactions that lock
-- an epic and its parent, each in its order, would wait for each other.
create or replace function inherit_dates(ids bigint[]) returns void language plpgsql as $$
declare
    root bigint;
begin
    if ids is null then
        return;
    end if;
    for root in
        select distinct n.traversal_ids[1] from epics e join namespaces n on n.id = e.namespace_id
        where e.id = any(ids) order by 1
    loop
        perform pg_advisory_xact_lock(hashtext('epics of group ' || root));
    end loop;
    perform from epics where id = any(ids) order by id for no key update;
    update epics e set start_date_inherited = d.starts, due_date_inherited = d.ends
    from (select x.id, min(x.starts) as starts, max(x.ends) as ends
          from (select i.epic_id as id, m.start_date as starts, m.due_date as ends
                from issues i join milestones m on m.id = i.milestone_id where i.epic_id = any(ids)
                union all select c.parent_id, c.start_date, c.due_date from epics c where c.parent_id = any(ids)
                union all select o.id, null, null from unnest(ids) o (id)) x
          group by x.id) d
    where d.id = e.id and (e.start_date_inherited, e.due_date_inherited) is distinct from (d.starts, d.ends);
end $$;
