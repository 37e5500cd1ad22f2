-- Comments on commits, on the whole or on a line of a file. They stay when the commit goes: the id can be pushed again.
create table commit_comments (
    id         bigint generated always as identity primary key,
    project_id bigint not null,
    oid        bytea not null,
    author_id  bigint,
    note       text not null,
    path       text,
    line       int,
    line_type  text,
    created_at timestamptz(3) not null default now(),
    constraint commit_comments_project_id_fkey foreign key (project_id) references projects on delete cascade,
    constraint commit_comments_author_id_fkey foreign key (author_id) references users on delete set null,
    constraint commit_comments_note_check check (char_length(note) between 1 and 1000000),
    constraint commit_comments_line_type_check check (line_type in ('new', 'old'))
);
create index commit_comments_oid on commit_comments (project_id, oid);
create index commit_comments_author_id on commit_comments (author_id) where author_id is not null;
