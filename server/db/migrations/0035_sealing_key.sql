-- Which key the secrets of this database are sealed under, whatever they are. Null until the first start with this column.
alter table application_settings add column sealing_key_digest bytea;
