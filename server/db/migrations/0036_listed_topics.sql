-- Topics that an administrator has created or described are listed. Others, which projects have named, are shown to
-- everybody while a public project holds them.
alter table topics add column listed boolean not null default false;

update topics set listed = true
where title <> name or description is not null or avatar is not null or total_projects_count = 0;
