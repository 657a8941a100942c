// pgmq: queues in tables.

/** The row type of functions that return messages, as a list of columns. */
const MESSAGE = 'msg_id, read_ct, enqueued_at, vt, message, headers'

export const PGMQ_SCRIPT = `
do $$ begin
  if to_regnamespace('pgmq') is null then create schema pgmq; end if;
end $$;
create table pgmq.meta (
  queue_name varchar unique not null,
  is_partitioned boolean not null default false,
  is_unlogged boolean not null default false,
  created_at timestamptz not null default now()
);
create type pgmq.message_record as (
  msg_id bigint, read_ct integer, enqueued_at timestamptz, vt timestamptz, message jsonb, headers jsonb
);
create type pgmq.queue_record as (
  queue_name varchar, is_partitioned boolean, is_unlogged boolean, created_at timestamptz
);
create type pgmq.metrics_result as (
  queue_name text, queue_length bigint, newest_msg_age_sec int, oldest_msg_age_sec int, total_messages bigint,
  scrape_time timestamptz, queue_visible_length bigint
);

create function pgmq.format_table_name(queue_name text, prefix text) returns text language plpgsql immutable as $$
begin
  if queue_name ~ '\\$|;|--|''' then
    raise exception 'queue name contains invalid characters: $, ;, --, or \\''';
  end if;
  return lower(prefix || '_' || queue_name);
end $$;
create function pgmq.validate_queue_name(queue_name text) returns void language plpgsql as $$
begin
  if length(queue_name) > 47 then
    raise exception 'queue name is too long, maximum length is 47 characters';
  end if;
end $$;

create function pgmq._create(queue_name text, unlogged boolean) returns void language plpgsql as $$
declare
  q text := pgmq.format_table_name(queue_name, 'q');
  a text := pgmq.format_table_name(queue_name, 'a');
  kind text := case when unlogged then 'unlogged' else '' end;
begin
  perform pgmq.validate_queue_name(queue_name);
  execute format('create %s table if not exists pgmq.%I (msg_id bigint primary key generated always as identity,
    read_ct int default 0 not null, enqueued_at timestamptz default now() not null, vt timestamptz not null,
    message jsonb, headers jsonb)', kind, q);
  execute format('create table if not exists pgmq.%I (msg_id bigint primary key, read_ct int default 0 not null,
    enqueued_at timestamptz default now() not null, archived_at timestamptz default now() not null,
    vt timestamptz not null, message jsonb, headers jsonb)', a);
  execute format('create index if not exists %I on pgmq.%I (vt asc)', q || '_vt_idx', q);
  execute format('create index if not exists %I on pgmq.%I (archived_at)', 'archived_at_idx_' || queue_name, a);
  insert into pgmq.meta (queue_name, is_unlogged) values (_create.queue_name, unlogged) on conflict do nothing;
end $$;
create function pgmq."create"(queue_name text) returns void language sql as $$ select pgmq._create(queue_name, false) $$;
create function pgmq.create_non_partitioned(queue_name text) returns void language sql as $$
  select pgmq._create(queue_name, false)
$$;
create function pgmq.create_unlogged(queue_name text) returns void language sql as $$ select pgmq._create(queue_name, true) $$;
create function pgmq.create_partitioned(
  queue_name text, partition_interval text default '10000', retention_interval text default '100000'
) returns void language plpgsql as $$
begin
  raise feature_not_supported using message = 'pgmq.create_partitioned needs pg_partman, which the embedded backend does not have',
    hint = 'Use pgmq.create.';
end $$;
create function pgmq.drop_queue(queue_name text) returns boolean language plpgsql as $$
begin
  if not exists (select from pgmq.meta m where m.queue_name = drop_queue.queue_name) then
    raise notice 'pgmq queue "%" does not exist', queue_name;
    return false;
  end if;
  execute format('drop table if exists pgmq.%I', pgmq.format_table_name(queue_name, 'q'));
  execute format('drop table if exists pgmq.%I', pgmq.format_table_name(queue_name, 'a'));
  delete from pgmq.meta m where m.queue_name = drop_queue.queue_name;
  return true;
end $$;
create function pgmq.purge_queue(queue_name text) returns bigint language plpgsql as $$
declare
  purged bigint;
begin
  execute format('delete from pgmq.%I', pgmq.format_table_name(queue_name, 'q'));
  get diagnostics purged = row_count;
  return purged;
end $$;
create function pgmq.list_queues() returns setof pgmq.queue_record language sql as $$
  select queue_name, is_partitioned, is_unlogged, created_at from pgmq.meta
$$;

create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz)
returns setof bigint language plpgsql as $$
begin
  if msgs is null or array_length(msgs, 1) is null then
    raise exception 'msgs cannot be NULL or empty';
  elsif array_length(headers, 1) is not null and array_length(headers, 1) <> array_length(msgs, 1) then
    raise exception 'msgs and headers must have the same length';
  end if;
  return query execute format('insert into pgmq.%I (vt, message, headers)
    select $2, m, h from unnest($1, $3) with ordinality as sent (m, h, place) order by place returning msg_id',
    pgmq.format_table_name(queue_name, 'q')) using msgs, delay, headers;
end $$;
create function pgmq.send_batch(queue_name text, msgs jsonb[]) returns setof bigint language sql as $$
  select * from pgmq.send_batch(queue_name, msgs, null, clock_timestamp())
$$;
create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[]) returns setof bigint language sql as $$
  select * from pgmq.send_batch(queue_name, msgs, headers, clock_timestamp())
$$;
create function pgmq.send_batch(queue_name text, msgs jsonb[], delay integer) returns setof bigint language sql as $$
  select * from pgmq.send_batch(queue_name, msgs, null, clock_timestamp() + make_interval(secs => delay))
$$;
create function pgmq.send_batch(queue_name text, msgs jsonb[], delay timestamptz) returns setof bigint language sql as $$
  select * from pgmq.send_batch(queue_name, msgs, null, delay)
$$;
create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay integer)
returns setof bigint language sql as $$
  select * from pgmq.send_batch(queue_name, msgs, headers, clock_timestamp() + make_interval(secs => delay))
$$;
create function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay timestamptz) returns setof bigint language sql as $$
  select * from pgmq.send_batch(queue_name, array[msg], array[headers], delay)
$$;
create function pgmq.send(queue_name text, msg jsonb) returns setof bigint language sql as $$
  select * from pgmq.send(queue_name, msg, null, clock_timestamp())
$$;
create function pgmq.send(queue_name text, msg jsonb, headers jsonb) returns setof bigint language sql as $$
  select * from pgmq.send(queue_name, msg, headers, clock_timestamp())
$$;
create function pgmq.send(queue_name text, msg jsonb, delay integer) returns setof bigint language sql as $$
  select * from pgmq.send(queue_name, msg, null, clock_timestamp() + make_interval(secs => delay))
$$;
create function pgmq.send(queue_name text, msg jsonb, delay timestamptz) returns setof bigint language sql as $$
  select * from pgmq.send(queue_name, msg, null, delay)
$$;
create function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay integer) returns setof bigint language sql as $$
  select * from pgmq.send(queue_name, msg, headers, clock_timestamp() + make_interval(secs => delay))
$$;

create function pgmq.read(queue_name text, vt integer, qty integer, conditional jsonb default '{}')
returns setof pgmq.message_record language plpgsql as $$
begin
  return query execute format('with due as (
      select msg_id from pgmq.%1$I where vt <= clock_timestamp() and ($3 = ''{}'' or message @> $3)
      order by msg_id limit $1 for update skip locked
    )
    update pgmq.%1$I m set vt = clock_timestamp() + $2, read_ct = read_ct + 1 from due where m.msg_id = due.msg_id
    returning m.msg_id, m.read_ct, m.enqueued_at, m.vt, m.message, m.headers', pgmq.format_table_name(queue_name, 'q'))
    using qty, make_interval(secs => vt), conditional;
end $$;
create function pgmq.read_with_poll(
  queue_name text, vt integer, qty integer, max_poll_seconds integer default 5, poll_interval_ms integer default 100,
  conditional jsonb default '{}'
) returns setof pgmq.message_record language plpgsql as $$
begin
  -- Nothing can be sent while this database waits.
  return query select * from pgmq.read(queue_name, vt, qty, conditional);
end $$;
create function pgmq.pop(queue_name text) returns setof pgmq.message_record language plpgsql as $$
begin
  return query execute format('delete from pgmq.%1$I where msg_id = (
      select msg_id from pgmq.%1$I where vt <= clock_timestamp() order by msg_id limit 1 for update skip locked
    ) returning ${MESSAGE}', pgmq.format_table_name(queue_name, 'q'));
end $$;
create function pgmq.set_vt(queue_name text, msg_id bigint, vt integer) returns setof pgmq.message_record
language plpgsql as $$
begin
  return query execute format('update pgmq.%I set vt = clock_timestamp() + $2 where msg_id = $1 returning ${MESSAGE}',
    pgmq.format_table_name(queue_name, 'q')) using msg_id, make_interval(secs => vt);
end $$;
create function pgmq.delete(queue_name text, msg_ids bigint[]) returns setof bigint language plpgsql as $$
begin
  return query execute format('delete from pgmq.%I where msg_id = any ($1) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')) using msg_ids;
end $$;
create function pgmq.delete(queue_name text, msg_id bigint) returns boolean language sql as $$
  select exists (select from pgmq.delete(queue_name, array[msg_id]))
$$;
create function pgmq.archive(queue_name text, msg_ids bigint[]) returns setof bigint language plpgsql as $$
begin
  return query execute format('with gone as (delete from pgmq.%I where msg_id = any ($1) returning ${MESSAGE})
    insert into pgmq.%I (${MESSAGE}) select ${MESSAGE} from gone returning msg_id',
    pgmq.format_table_name(queue_name, 'q'), pgmq.format_table_name(queue_name, 'a')) using msg_ids;
end $$;
create function pgmq.archive(queue_name text, msg_id bigint) returns boolean language sql as $$
  select exists (select from pgmq.archive(queue_name, array[msg_id]))
$$;
create function pgmq.metrics(queue_name text) returns pgmq.metrics_result language plpgsql as $$
declare
  result pgmq.metrics_result;
  q text := pgmq.format_table_name(queue_name, 'q');
begin
  execute format('select $1, count(*), extract(epoch from now() - max(enqueued_at))::int,
      extract(epoch from now() - min(enqueued_at))::int,
      (select case when is_called then last_value else 0 end from pgmq.%I), now(),
      count(*) filter (where vt <= now()) from pgmq.%I', q || '_msg_id_seq', q) into result using queue_name;
  return result;
end $$;
create function pgmq.metrics_all() returns setof pgmq.metrics_result language sql as $$
  select m.* from pgmq.meta, lateral pgmq.metrics(queue_name) m
$$;`
