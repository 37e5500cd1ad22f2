-- Imports of the gists of users from other hosts: one at a time for each user. The row stays when the import has ended, with
-- what has come of it, and without the token.
create table gist_imports (
    user_id       bigint primary key,
    base          text not null, -- of the API of the host
    sealed_token  bytea, -- null: the import has ended
    status        text not null default 'scheduled',
    page          text not null default '', -- the address of the page to read next; '': the first one
    pages         int not null default 0, -- that were read
    imported      int not null default 0,
    skipped       jsonb not null default '[]',
    failure       text,
    attempts      int not null default 0, -- of processes that have worked on it; the last one may go on
    waits_until   timestamptz(3), -- the host takes no requests before then
    progressed_at timestamptz(3) not null default now(),
    created_at    timestamptz(3) not null default now(),
    finished_at   timestamptz(3),
    constraint gist_imports_user_id_fkey foreign key (user_id) references users on delete cascade,
    constraint gist_imports_status_check check (status in ('scheduled', 'started', 'finished', 'failed')),
    constraint gist_imports_token_check check ((sealed_token is null) = (status in ('finished', 'failed')))
);
create index gist_imports_progressed_at on gist_imports (progressed_at) where sealed_token is not null;
