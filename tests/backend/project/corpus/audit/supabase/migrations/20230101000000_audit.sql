create schema if not exists audit;
create extension if not exists hstore with schema extensions;
create extension if not exists tablefunc with schema extensions;
create type audit.operation as enum ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE');
create table audit.record_version (
  id bigserial primary key,
  record_id uuid,
  old_record_id uuid,
  op audit.operation not null,
  ts timestamptz not null default (now()),
  table_oid oid not null,
  table_schema name not null,
  table_name name not null,
  record jsonb,
  old_record jsonb,
  check (coalesce(record_id, old_record_id) is not null or op = 'TRUNCATE')
);
create index record_version_ts on audit.record_version using brin (ts);
create or replace function audit.primary_key_columns(entity_oid oid) returns text[] stable security definer set search_path = '' language sql as $$
  select coalesce(array_agg(pa.attname::text order by pa.attnum), array[]::text[]) column_names
  from pg_catalog.pg_index pi join pg_catalog.pg_attribute pa on pi.indrelid = pa.attrelid and pa.attnum = any (pi.indkey)
  where indrelid = $1 and indisprimary
$$;
create or replace function audit.to_record_id(entity_oid oid, pkey_cols text[], rec jsonb) returns uuid stable language sql as $$
  select case when rec is null then null when pkey_cols = array[]::text[] then extensions.uuid_generate_v4()
    else (select extensions.uuid_generate_v5('fd62bc3d-8d6e-43c2-919c-802ba3762271',
      (jsonb_build_array(to_jsonb($1)) || jsonb_agg($3 ->> key_))::text) from unnest($2) x(key_)) end
$$;
create or replace function audit.insert_update_delete_trigger() returns trigger security definer set search_path = '' language plpgsql as $$
declare
  pkey_cols text[] = audit.primary_key_columns(tg_relid);
  record_jsonb jsonb = to_jsonb(new);
  old_record_jsonb jsonb = to_jsonb(old);
begin
  insert into audit.record_version (record_id, old_record_id, op, table_oid, table_schema, table_name, record, old_record)
  select audit.to_record_id(tg_relid, pkey_cols, record_jsonb), audit.to_record_id(tg_relid, pkey_cols, old_record_jsonb),
    tg_op::audit.operation, tg_relid, tg_table_schema, tg_table_name, record_jsonb, old_record_jsonb;
  return coalesce(new, old);
end;
$$;
create or replace function audit.enable_tracking(regclass) returns void volatile security definer set search_path = '' language plpgsql as $$
declare
  statement_row text = format('create trigger audit_i_u_d after insert or update or delete on %s for each row execute procedure audit.insert_update_delete_trigger();', $1);
begin
  if not exists (select 1 from pg_trigger where tgrelid = $1 and tgname = 'audit_i_u_d') then execute statement_row; end if;
end;
$$;
