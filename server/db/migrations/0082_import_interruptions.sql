-- Attempts say whose an import is, so that they only grow; those that do not count have a column of their own.
alter table project_imports add column interruptions integer not null default 0;
