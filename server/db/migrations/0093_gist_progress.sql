-- When an import of gists last read a page, or imported or skipped a gist. progressed_at says only that a process works on it.
alter table gist_imports add column moved_at timestamptz(3) not null default now();
