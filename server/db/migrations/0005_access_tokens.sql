-- Access tokens of groups and projects: those of bots, which are members there and hold no other token.
alter table personal_access_tokens
    add column namespace_id bigint,
    add column project_id bigint,
    add column access_level smallint, -- of the bot; null: it is a person's token
    add constraint personal_access_tokens_namespace_id_fkey foreign key (namespace_id) references namespaces on delete cascade,
    add constraint personal_access_tokens_project_id_fkey foreign key (project_id) references projects on delete cascade,
    add constraint personal_access_tokens_container_check check (num_nonnulls(namespace_id, project_id) = num_nonnulls(access_level)),
    add constraint personal_access_tokens_access_level_check check (access_level in (10, 15, 20, 30, 40, 50));
create index personal_access_tokens_namespace_id on personal_access_tokens (namespace_id, id) where namespace_id is not null;
create index personal_access_tokens_project_id on personal_access_tokens (project_id, id) where project_id is not null;
create index users_bots on users (updated_at) where bot;
