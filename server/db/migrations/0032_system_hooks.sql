-- Hooks of the instance, which belong to neither a group nor a project: system hooks.

alter table hooks
    drop constraint hooks_container_check,
    add constraint hooks_container_check check (num_nonnulls(namespace_id, project_id) <= 1);
create index hooks_instance on hooks (id) where namespace_id is null and project_id is null;
