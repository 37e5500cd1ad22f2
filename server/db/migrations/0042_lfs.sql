-- Large files of projects, which git knows by a pointer. Content is stored once; each project that has it links it.
create table lfs_objects (
    project_id bigint not null,
    blob_id    bigint not null,
    created_at timestamptz(3) not null default now(),
    primary key (project_id, blob_id),
    constraint lfs_objects_project_id_fkey foreign key (project_id) references projects on delete cascade,
    constraint lfs_objects_blob_id_fkey foreign key (blob_id) references blobs
);
create index on lfs_objects (blob_id);

-- Paths that only one user may change.
create table lfs_locks (
    id         bigint generated always as identity primary key,
    project_id bigint not null,
    path       text not null,
    user_id    bigint not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    constraint lfs_locks_project_id_fkey foreign key (project_id) references projects on delete cascade,
    constraint lfs_locks_user_id_fkey foreign key (user_id) references users on delete cascade,
    constraint lfs_locks_path_check check (octet_length(path) <= 511)
);
create unique index lfs_locks_path on lfs_locks (project_id, path);
create index on lfs_locks (user_id);
