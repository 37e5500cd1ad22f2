-- The processes that serve the database: each holds the advisory lock of its number while it lives (server/jobs).
create sequence process_numbers as integer cycle;
-- Which process works on an import; null: that is not known. moved says whether it made progress since it was taken.
alter table project_imports add column process integer, add column moved boolean not null default false;
