-- Garbage collection: objects that no ref reaches move to a pack of their own, and go with it two weeks later.
alter table repository_packs add column unreachable_since timestamptz(3);
create index repository_packs_unreachable_since on repository_packs (unreachable_since) where unreachable_since is not null;

alter table repositories
    add column collected_at timestamptz(3), -- when garbage was collected last
    add column unreachable_commits int not null default 0; -- that were left then

-- A pack goes after the last repository that links it, never before.
alter table repository_packs
    drop constraint repository_packs_pack_id_fkey,
    add constraint repository_packs_pack_id_fkey foreign key (pack_id) references packs;
