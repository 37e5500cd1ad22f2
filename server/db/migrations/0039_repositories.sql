-- Repositories: packs as they were received, objects that came one by one, refs, and an index of the commits. Directories
-- on disk are copies of these rows. Package code has the guide.
create table repositories (
    id         bigint generated always as identity primary key,
    project_id bigint not null,
    kind       text not null default 'project',
    gc_epoch   bigint not null default 0, -- grows whenever objects are removed
    size       bigint not null default 0, -- in bytes, as counted last
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    constraint repositories_project_id_fkey foreign key (project_id) references projects on delete cascade,
    constraint repositories_project_id_kind_key unique (project_id, kind),
    constraint repositories_kind_check check (kind in ('project', 'wiki'))
);

-- Names are compared by their bytes, as git does. peeled is the commit of an annotated tag.
create table refs (
    repository_id bigint not null,
    name          text collate "C" not null, -- refs/heads/main
    oid           bytea not null,
    peeled        bytea,
    updated_at    timestamptz(3) not null default now(),
    primary key (repository_id, name),
    constraint refs_repository_id_fkey foreign key (repository_id) references repositories on delete cascade,
    constraint refs_name_check check (name like 'refs/%' and octet_length(name) <= 1024),
    constraint refs_oid_check check (octet_length(oid) = 20)
);
create index refs_oid on refs (repository_id, oid);

-- A pack belongs to every repository that links it: forks share those of their source. The files are content of
-- blobs, and the index can be made again from the pack.
create table packs (
    id         bigint generated always as identity primary key,
    hash       bytea not null, -- that git names the pack by
    objects    int not null,
    size       bigint not null,
    pack       bigint not null,
    index      bigint not null,
    created_at timestamptz(3) not null default now(),
    constraint packs_pack_fkey foreign key (pack) references blobs,
    constraint packs_index_fkey foreign key (index) references blobs
);
create index on packs (pack);
create index on packs (index);
create index on packs (hash);

create table repository_packs (
    repository_id bigint not null,
    pack_id       bigint not null,
    written_by    xid8 not null default pg_current_xact_id(),
    primary key (repository_id, pack_id),
    constraint repository_packs_repository_id_fkey foreign key (repository_id) references repositories on delete cascade,
    constraint repository_packs_pack_id_fkey foreign key (pack_id) references packs on delete cascade
);
create index on repository_packs (pack_id);

-- Objects of commits made through the API, until the next repack. The body is compressed as in a pack, so that a row
-- can be copied into one. written_by finds what is new since a snapshot, whatever the order of the commits.
create table loose_objects (
    repository_id bigint not null,
    oid           bytea not null,
    kind          smallint not null,
    size          int not null, -- of the content
    body          bytea not null,
    written_by    xid8 not null default pg_current_xact_id(),
    primary key (repository_id, oid)
);
alter table loose_objects alter body set storage external;
create index loose_objects_written_by on loose_objects (repository_id, written_by);

-- All commits of a repository, reachable or not.
create table commits (
    id              bigint generated always as identity primary key,
    repository_id   bigint not null,
    oid             bytea not null,
    tree            bytea not null,
    parents         bytea not null, -- their oids, one after the other
    author_name     text not null,
    author_email    text not null,
    authored_at     timestamptz(0) not null,
    authored_zone   smallint not null, -- minutes east of UTC
    committer_name  text not null,
    committer_email text not null,
    committed_at    timestamptz(0) not null,
    committed_zone  smallint not null,
    message         text not null,
    written_by      xid8 not null default pg_current_xact_id(),
    constraint commits_repository_id_fkey foreign key (repository_id) references repositories on delete cascade,
    constraint commits_repository_id_oid_key unique (repository_id, oid)
);
create index commits_written_by on commits (repository_id, written_by);

-- Which commits change a path, be it a file or a directory: bit i of differs says that it differs from parent i (of a
-- root commit, bit 0 from nothing). path is the first half of the SHA-256 of its bytes.
create table commit_paths (
    repository_id bigint not null,
    path          uuid not null,
    commit_id     bigint not null,
    differs       int not null,
    primary key (repository_id, path, commit_id) include (differs)
);

-- A push writes these two by ten thousands, and a foreign key would look for the repository once a row. Who writes them
-- writes a commit as well, whose foreign key holds the repository.
create function empty_repository() returns trigger language plpgsql as $$
begin
    delete from loose_objects where repository_id = old.id;
    delete from commit_paths where repository_id = old.id;
    return null;
end $$;
create trigger empty_repository after delete on repositories for each row execute function empty_repository();
