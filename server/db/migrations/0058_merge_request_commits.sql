-- The commits that the last version of a merge request brings, the first ten thousand of many, and
-- those that its merge made: which merge requests a commit is in is asked of this table.
create table merge_request_commits (
    merge_request_id bigint not null,
    commit_oid       bytea not null,
    constraint merge_request_commits_pkey primary key (merge_request_id, commit_oid),
    constraint merge_request_commits_merge_request_id_fkey
        foreign key (merge_request_id) references merge_requests on delete cascade
);
create index merge_request_commits_commit_oid on merge_request_commits (commit_oid, merge_request_id);

-- What is known of those that are there. The commits in between come with the next push.
insert into merge_request_commits (merge_request_id, commit_oid)
select distinct t.id, c.oid
from merge_requests t
    cross join lateral unnest(array[t.head_oid, t.merge_commit_oid, t.squash_commit_oid, t.merged_oid]) c (oid)
where c.oid is not null;
