-- Who asked for a delivery, and for what: each user may ask for so many tests, and for so many deliveries to be sent again.
-- Access tokens that expire soon are told of once.

alter table hook_logs
    drop column tested,
    add column asked text not null default '', -- what somebody asked for; empty: nobody did, it happened
    add column asked_by bigint, -- no reference: it is of interest for a minute
    add constraint hook_logs_asked_check check (asked in ('', 'test', 'resend') and (asked = '') = (asked_by is null));
create index hook_logs_asked_by on hook_logs (asked_by, created_at) where asked_by is not null;

alter table personal_access_tokens
    add column expiry_told boolean not null default false; -- to the hooks of its group or project
create index personal_access_tokens_expires_at on personal_access_tokens (expires_at)
    where access_level is not null and not revoked and not expiry_told;
