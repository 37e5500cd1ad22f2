-- What removed users wrote belongs to the ghost user from now on. What lost its author before has none.
alter table internal_users drop constraint internal_users_kind_check,
    add constraint internal_users_kind_check check (kind in ('alert_bot', 'ghost'));
