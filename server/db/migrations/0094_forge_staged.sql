-- How much an import from another host has kept in forge_documents since it began, which is bounded.
alter table forge_imports add column staged_bytes bigint not null default 0;
