-- Pull mirrors are reached by SSH as push mirrors are, and bring the large files of Git LFS.
alter table pull_mirrors
    add column public_key text,  -- of the pair that the server has made for the mirror; null: it has needed none
    add column sealed_key bytea,
    add column host_keys  text[] not null default '{}',  -- that a host reached by SSH may have; empty: any, until one was met
    add column lfs_due    boolean not null default true; -- large files of all commits are to be looked for
