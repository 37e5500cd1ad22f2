-- Merge requests are listed by the users whom approval rules name, and by milestones.
create index merge_request_rules_user_ids on merge_request_rules using gin (user_ids);
create index approval_rules_user_ids on approval_rules using gin (user_ids);
create index merge_requests_of_milestone on merge_requests (milestone_id, project_id, created_at, id)
    where milestone_id is not null;
drop index merge_requests_milestone_id;
