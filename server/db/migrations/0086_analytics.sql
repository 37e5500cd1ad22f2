-- Whose funnels a project has in place of its own, and the token that its requests give the engine.
create table analytics_settings (
    project_id            bigint primary key,
    dashboards_project_id bigint not null,
    constraint analytics_settings_project_id_fkey foreign key (project_id) references projects on delete cascade,
    constraint analytics_settings_dashboards_project_id_fkey
        foreign key (dashboards_project_id) references projects on delete cascade
);
create index analytics_settings_dashboards_project_id on analytics_settings (dashboards_project_id);

create table analytics_tokens (
    project_id   bigint primary key,
    token_id     bigint not null,
    sealed_token bytea not null,
    constraint analytics_tokens_project_id_fkey foreign key (project_id) references projects on delete cascade,
    constraint analytics_tokens_token_id_fkey foreign key (token_id) references personal_access_tokens on delete cascade
);
create index analytics_tokens_token_id on analytics_tokens (token_id);
