-- The merge request that closed an issue, as the events of the issue's state show it.
alter table resource_events
    add column source_request_id bigint,
    add constraint resource_events_source_request_id_fkey
        foreign key (source_request_id) references merge_requests on delete set null;
create index resource_events_source_request_id on resource_events (source_request_id)
    where source_request_id is not null;
