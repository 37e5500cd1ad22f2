-- Who may push to a branch because of its merge request is asked at each push.
create index merge_requests_collaboration on merge_requests (source_project_id)
    where allow_collaboration and state = 'opened';
