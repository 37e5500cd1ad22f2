-- A database as hewd left it when 0001 was its only migration: everything there was, and secrets sealed at that time under
-- "the key of an old installation". What is not written has the defaults of that time.

insert into users (id, username, name, email, admin, bot, bio, identities, custom_attributes, created_by_id, last_activity_on) values
    (1, 'root', 'Administrator', 'admin@example.com', true, false, '', '[]', '{}', null, '2026-11-20'),
    (2, 'alice', 'Alice', 'Alice@example.com', false, false, 'Builds things', '[{"provider":"ldap","extern_uid":"a"}]', '{"team":"web"}', 1, null),
    (3, 'robot', 'Robot', 'robot@example.com', false, true, '', '[]', '{}', 1, null);

insert into personal_access_tokens (id, user_id, name, digest, prefix, scopes, revoked, expires_at, last_used_ips) values
    (1, 2, 'laptop', sha256('the token of alice'), 'glpat-', '{api,read_user}', false, null, '{192.0.2.1}'),
    (2, 2, 'lost', sha256('the token she lost'), 'glpat-', '{api}', true, '2026-12-24', '{}');

insert into namespaces (id, kind, parent_id, owner_id, name, path, full_name, full_path, traversal_ids, visibility, settings, runners_token) values
    (10, 'user', null, 1, 'Administrator', 'root', 'Administrator', 'root', '{10}', 0, '{}', null),
    (11, 'user', null, 2, 'Alice', 'alice', 'Alice', 'alice', '{11}', 0, '{}', null),
    (12, 'group', null, null, 'Acme', 'acme', 'Acme', 'acme', '{12}', 20, '{"lfs_enabled":false,"max_artifacts_size":7}',
     '\x01f49b8f90cdaac7e4240b28bb90cdf4215ff4621b592b57e58e1a7a5756db012aa5cdc7b1f9ac57313534'),
    (13, 'group', 12, null, 'Web', 'web', 'Acme / Web', 'acme/web', '{12,13}', 0, '{}', null),
    (14, 'user', null, 3, 'Robot', 'robot', 'Robot', 'robot', '{14}', 0, '{}', null);

insert into projects (id, namespace_id, name, path, full_path, visibility, description, topics, star_count, settings, runners_token) values
    (21, 13, 'Api', 'api', 'acme/web/api', 0, 'What the others call', '{go,http}', 1, '{"issues_access_level":"disabled"}',
     '\x01b2fc96a412c9628c043697be82ff51edb46842231d38cc2ca133cf4e91926a93132de43d5d485662766a0740'),
    (22, 11, 'Notes', 'notes', 'alice/notes', 0, null, '{}', 0, '{}', null);

insert into routes (key, namespace_id, project_id, former) values
    ('root', 10, null, false), ('alice', 11, null, false), ('acme', 12, null, false), ('acme/web', 13, null, false),
    ('robot', 14, null, false), ('acme/web/api', null, 21, false), ('alice/notes', null, 22, false), ('acme/web/server', null, 21, true);

insert into members (user_id, namespace_id, project_id, access_level, expires_at, created_by_id) values
    (1, 12, null, 50, null, 1), (2, 12, null, 30, '2999-12-31', 1), (2, null, 21, 40, null, 1), (3, null, 21, 20, null, 2);

insert into stars (user_id, project_id) values (2, 21);

insert into project_hooks (id, project_id, url, sealed_url, name, token, push_events, issues_events, push_events_branch_filter, url_variables, custom_headers) values
    (31, 21, 'https://ci:*****@ci.example.com/{branch}',
     '\x016bd0a1585bb9325589a97fea38b48343ebd4ac5675d62e2936e04683532bfb52b42ba2b02fdbcc33fdd5c9d9c3106cd11e7abd36959910e123f965b9ad891b3a7fc140',
     'ci', '\x0136af4fac0cba7a7742a01800a08e54795b0faf6fb22b1e459c436313f7ffd9e5', false, true, 'main',
     jsonb_build_array(jsonb_build_object('key', 'branch', 'value', encode('\x01c8e3bfd6c671b6625964b5007b74edbac08a1df865667ece32a59fdd05b6f1b2', 'base64'))),
     jsonb_build_array(jsonb_build_object('key', 'X-Key', 'value', encode('\x017cfce912c642637238121eb1ece3c4fdc84889b7df9486d09491d51e4064fee2a5cbf937b63021', 'base64')))),
    (32, 21, 'https://chat.example.com/', null, '', null, true, false, '', '[]', '[]');

insert into settings (key, value) values
    ('default_projects_limit', '7'), ('default_group_visibility', '"internal"'), ('restricted_visibility_levels', '["public"]'),
    ('allow_local_requests_from_web_hooks_and_services', 'true');

-- The next id of everything comes after these.
select setval(pg_get_serial_sequence(t, 'id'), 100)
from unnest('{users,personal_access_tokens,namespaces,projects,members,project_hooks}'::text[]) t;
