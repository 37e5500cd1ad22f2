-- The id stays when the project that an import replaces is deleted before: the import still takes its path.
alter table archive_imports drop constraint archive_imports_replaces_id_fkey;
drop index archive_imports_replaces_id;
