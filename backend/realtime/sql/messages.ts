// SQL for broadcasts from the database: the messages table and the send functions.

/**
 * Converts the columns of earlier versions to the original's. This fails for a column that a policy refers
 * to.
 */
const UPGRADE = `
alter table realtime.messages add column if not exists binary_payload bytea;
alter table realtime.messages add column if not exists updated_at timestamp not null default (now() at time zone 'utc');
alter table realtime.messages alter column private drop not null, alter column private set default false;
do $$ begin
  if (select atttypid = 'timestamptz'::regtype from pg_attribute
      where attrelid = 'realtime.messages'::regclass and attname = 'inserted_at') then
    alter table realtime.messages alter column inserted_at drop default,
      alter column inserted_at type timestamp using inserted_at at time zone 'utc',
      alter column inserted_at set default (now() at time zone 'utc');
  end if;
exception when feature_not_supported then
  raise warning 'realtime.messages.inserted_at keeps its time zone: %', sqlerrm;
end $$;
do $$ begin
  alter table realtime.messages add constraint messages_payload_exclusive
    check (payload is null or binary_payload is null);
exception when duplicate_object then null;
end $$;`

const TABLE = `
create table if not exists realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default (now() at time zone 'utc'),
  inserted_at timestamp not null default (now() at time zone 'utc'),
  id uuid primary key default gen_random_uuid(),
  binary_payload bytea
);
alter table realtime.messages enable row level security;
${UPGRADE}
create index if not exists messages_inserted_at_topic_index on realtime.messages (inserted_at desc, topic)
  where extension = 'broadcast' and private;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;`

/** A message that can't be sent is only a warning: the sending transaction continues. */
const SEND = `
create or replace function realtime.topic() returns text language sql stable as
  $$ select nullif(current_setting('realtime.topic', true), '') $$;
create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true)
returns void language plpgsql as $$
declare message_id uuid := gen_random_uuid();
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (id, topic, extension, event, private, payload)
  values (message_id, topic, 'broadcast', event, private,
    case when payload ? 'id' then payload else jsonb_set(payload, '{id}', to_jsonb(message_id)) end);
exception when others then
  raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end $$;
create or replace function realtime.send_binary(payload bytea, event text, topic text, private boolean default true)
returns void language plpgsql as $$
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (topic, extension, event, private, binary_payload)
  values (topic, 'broadcast', event, private, payload);
exception when others then
  raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end $$;`

const BROADCAST_CHANGES = `
create or replace function realtime.broadcast_changes(topic_name text, event_name text, operation text,
  table_name text, table_schema text, new record, old record, level text default 'ROW')
returns void language plpgsql as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  elsif operation in ('INSERT', 'UPDATE', 'DELETE') then
    perform realtime.send(jsonb_build_object('schema', table_schema, 'table', table_name, 'operation', operation,
      'record', new, 'old_record', old), event_name, topic_name);
  else
    raise exception 'Unexpected operation type: %', operation;
  end if;
exception when others then
  raise exception 'Failed to process the row: %', sqlerrm;
end $$;`

/** A message to try a policy on, whose transaction is taken back; only `authenticator` may write it. */
const PROBE = `
create or replace function realtime.probe(id uuid, topic text, extension text) returns void language sql
security definer set search_path = '' as
  $$ insert into realtime.messages (id, topic, extension) values (id, topic, extension) $$;
revoke all on function realtime.probe(uuid, text, text) from public;
grant usage on schema realtime to authenticator;
grant execute on function realtime.probe(uuid, text, text) to authenticator;`

export const MESSAGES_SCHEMA = `${TABLE}${SEND}${BROADCAST_CHANGES}${PROBE}`
