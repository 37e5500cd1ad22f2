-- Who wants no more mail about a project, a group or an account.
create table mail_optouts (
    address    text not null, -- in lower case
    list       text not null, -- "project 7", "group 3", "account"
    created_at timestamptz(3) not null default now(),
    constraint mail_optouts_pkey primary key (address, list)
);

-- Tokens of people that expire soon are told of once, too.
create index personal_access_tokens_personal_expires_at on personal_access_tokens (expires_at)
    where access_level is null and not impersonation and not revoked and not expiry_told;
