-- Repositories that new projects get from other hosts. A row is here until its import has ended, so
-- that its credentials are kept no longer.
alter table projects
    add column import_url text, -- with masks
    add column import_status text not null default 'none',
    add column import_error text,
    add constraint projects_import_status_check
        check (import_status in ('none', 'scheduled', 'started', 'finished', 'failed'));

create table project_imports (
    project_id bigint primary key,
    sealed_url bytea not null,
    attempts   integer not null default 0,
    alive_at   timestamptz(3), -- null: no process works on it
    created_at timestamptz(3) not null default now(),
    constraint project_imports_project_id_fkey foreign key (project_id) references projects on delete cascade
);
