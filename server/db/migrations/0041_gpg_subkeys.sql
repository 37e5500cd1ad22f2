-- Signatures name the key that made them, which can be a subkey: the last 16 digits of its fingerprint.
alter table gpg_keys add subkeys text[]; -- null: not known, the key is older than the column
create index gpg_keys_key_id on gpg_keys (right(fingerprint, 16));
create index gpg_keys_subkeys on gpg_keys using gin (subkeys);
create index gpg_keys_subkeys_unknown on gpg_keys (id) where subkeys is null;
