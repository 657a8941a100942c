// supabase_vault: secrets that are encrypted at rest, with a key that is not in the database.

/** The setting with the key, which every session has and `reset all` keeps. */
export const VAULT_KEY = 'chartroom.vault_key'

export const VAULT_SCRIPT = `
do $$ begin
  if to_regnamespace('vault') is null then create schema vault; end if;
end $$;

create function vault._key() returns text language plpgsql stable as $$
declare
  key text := current_setting('${VAULT_KEY}', true);
begin
  if coalesce(key, '') = '' then
    raise exception 'the vault has no key in this session' using hint = 'Connect through the backend.';
  end if;
  return key;
end $$;

create table vault.secrets (
  id uuid primary key default gen_random_uuid(),
  name text,
  description text not null default '',
  secret text not null,
  key_id uuid,
  nonce bytea default decode(md5(random()::text), 'hex'),
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null default current_timestamp
);
create unique index secrets_name_idx on vault.secrets (name) where name is not null;

create function vault._encrypt(secret text, id uuid) returns text language sql volatile as $$
  select replace(encode(extensions.pgp_sym_encrypt(secret, vault._key() || id::text), 'base64'), e'\\n', '')
$$;
create function vault._decrypt(secret text, id uuid) returns text language sql stable as $$
  select extensions.pgp_sym_decrypt(decode(secret, 'base64'), vault._key() || id::text)
$$;

create view vault.decrypted_secrets as
select s.id, s.name, s.description, s.secret, vault._decrypt(s.secret, s.id) as decrypted_secret, s.key_id, s.nonce,
  s.created_at, s.updated_at
from vault.secrets s;

create function vault.create_secret(
  new_secret text, new_name text default null, new_description text default '', new_key_id uuid default null
) returns uuid language plpgsql set search_path = '' as $$
declare
  new_id uuid := gen_random_uuid();
begin
  insert into vault.secrets (id, secret, name, description)
  values (new_id, vault._encrypt(new_secret, new_id), new_name, new_description);
  return new_id;
end $$;

create function vault.update_secret(
  secret_id uuid, new_secret text default null, new_name text default null, new_description text default null,
  new_key_id uuid default null
) returns void language plpgsql set search_path = '' as $$
begin
  update vault.secrets s set
    secret = case when new_secret is null then s.secret else vault._encrypt(new_secret, s.id) end,
    name = coalesce(new_name, s.name),
    description = coalesce(new_description, s.description),
    updated_at = now()
  where s.id = secret_id;
end $$;

revoke execute on all functions in schema vault from public;
grant usage on schema vault to service_role;
grant select, delete on vault.secrets, vault.decrypted_secrets to service_role;
grant execute on all functions in schema vault to service_role;`
