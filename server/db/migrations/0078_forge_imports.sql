-- Imports of projects from other hosts while they run: how far one is, and what has come of it so far. All
-- of it goes with the row of the import when that ends.
create table forge_imports (
    project_id    bigint primary key,
    user_id       bigint not null, -- who imports
    repository    text not null,   -- its path at the host: acme/site
    options       jsonb not null,
    stage         text not null default '', -- what it is at; empty: the first one
    cursor        text not null default '', -- where the stage goes on; its meaning is that of the stage
    progressed_at timestamptz not null default now(),
    waits_until   timestamptz, -- the host takes no requests before then
    constraint forge_imports_project_id_fkey
        foreign key (project_id) references project_imports (project_id) on delete cascade,
    constraint forge_imports_user_id_fkey foreign key (user_id) references users (id) on delete cascade
);
create index forge_imports_user_id on forge_imports (user_id);

-- What has come of an import, and is not stored yet. The text of a document can have what jsonb refuses.
create table forge_documents (
    project_id bigint not null,
    kind       text collate "C" not null, -- issue, comment, …
    key        text collate "C" not null, -- its id at the host
    number     bigint not null, -- of the issue or pull request that it belongs to; 0: to none
    document   json not null,
    constraint forge_documents_pkey primary key (project_id, kind, key),
    constraint forge_documents_project_id_fkey
        foreign key (project_id) references forge_imports (project_id) on delete cascade
);
create index forge_documents_number on forge_documents (project_id, kind, number);
