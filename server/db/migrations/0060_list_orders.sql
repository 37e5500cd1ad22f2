-- What lists of merge requests are ordered by and filtered by, in a project and in all of them.
create index merge_requests_updated on merge_requests (updated_at, id);
create index merge_requests_state on merge_requests (state, created_at, id);
create index merge_requests_title on merge_requests (title, id);
create index merge_requests_title_of_project on merge_requests (project_id, title, id);
create index merge_requests_merged_at on merge_requests (merged_at desc nulls last, id desc);
create index merge_requests_merged_of_project on merge_requests (project_id, merged_at desc nulls last, id desc);
create index merge_requests_drafts on merge_requests (project_id, created_at, id) where draft;
create index merge_requests_source_name on merge_requests (source_branch, project_id);

-- The merge requests of a commit: one column each, as the query asks for each.
create index merge_requests_head_oid on merge_requests (project_id, head_oid) where head_oid is not null;
create index merge_requests_squash_commit_oid on merge_requests (project_id, squash_commit_oid)
    where squash_commit_oid is not null;
create index merge_requests_merged_oid on merge_requests (project_id, merged_oid) where merged_oid is not null;

-- Orders of issues. What an issue lacks comes last in both directions.
create index issues_updated on issues (updated_at, id);
create index issues_due_date on issues (project_id, due_date, id desc);
create index issues_due_date_desc on issues (project_id, due_date desc nulls last, id desc);
create index issues_upvotes on issues (project_id, upvotes desc, id desc);
