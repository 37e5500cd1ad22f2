-- The application settings are one row: whoever changes them holds it, and no change is lost. It keeps what differs from
-- the defaults, which are the program's.
create table application_settings (
    id         bigint primary key default 1,
    settings   jsonb not null default '{}', -- by key
    secrets    jsonb not null default '{}', -- by key, sealed
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now()
);
insert into application_settings (settings) select coalesce(jsonb_object_agg(key, value), '{}') from settings;
drop table settings;

-- How the instance looks: one row, and its pictures beside it, which nobody wants to read with it.
create table appearances (
    id         bigint primary key default 1,
    appearance jsonb not null default '{}',
    updated_at timestamptz(3) not null default now()
);
insert into appearances default values;

create table appearance_files (
    name       text primary key, -- logo, header_logo, favicon, pwa_icon
    file_name  text not null,
    content    bytea not null,
    updated_at timestamptz(3) not null default now()
);

-- What a plan limits, where it was changed.
create table plan_limits (
    plan       text primary key,
    limits     jsonb not null default '{}',
    updated_at timestamptz(3) not null default now()
);
