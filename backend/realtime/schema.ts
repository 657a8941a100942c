// The realtime schema: a trigger that announces every row change, with an outbox for large ones.

export const CHANGES_CHANNEL = 'chartroom_changes'

/** Payloads of NOTIFY end at 8,000 bytes; what is larger travels by way of the outbox. */
export const REALTIME_SCHEMA = `
create schema if not exists realtime;
create sequence if not exists realtime.change_number;
create table if not exists realtime.outbox (number bigint primary key, payload jsonb not null);
create table if not exists realtime.messages (
  id uuid primary key default gen_random_uuid(),
  topic text not null,
  extension text not null,
  event text,
  payload jsonb,
  private boolean not null default true,
  inserted_at timestamptz not null default now()
);
alter table realtime.messages enable row level security;
create or replace function realtime.topic() returns text language sql stable as
  $$ select nullif(current_setting('realtime.topic', true), '') $$;
grant usage on schema realtime to anon, authenticated, service_role;
grant select, insert on realtime.messages to anon, authenticated, service_role;
create or replace function realtime.announce() returns trigger language plpgsql security definer
set search_path = '' as $$
declare
  change jsonb;
  -- Equal payloads of one transaction would be merged into one notification.
  number bigint := nextval('realtime.change_number');
begin
  change := jsonb_build_object('number', number, 'schema', tg_table_schema, 'table', tg_table_name, 'type', tg_op,
    'commit_timestamp', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
  if tg_op <> 'DELETE' then change := change || jsonb_build_object('record', to_jsonb(new)); end if;
  if tg_op <> 'INSERT' then change := change || jsonb_build_object('old_record', to_jsonb(old)); end if;
  if octet_length(change::text) > 7900 then
    insert into realtime.outbox values (number, change);
    change := jsonb_build_object('number', number);
  end if;
  perform pg_notify('${CHANGES_CHANNEL}', change::text);
  return null;
end $$;
`

/** Puts the trigger on every public table that lacks it and drops what a crash left in the outbox. */
export const ATTACH_TRIGGERS = `
delete from realtime.outbox;
do $$
declare tbl regclass;
begin
  for tbl in
    select c.oid from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'chartroom_announce')
  loop
    execute format('create trigger chartroom_announce after insert or update or delete on %s
                    for each row execute function realtime.announce()', tbl);
  end loop;
end $$;
`
