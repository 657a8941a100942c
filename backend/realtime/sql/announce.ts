// SQL that announces row changes and messages, and attaches triggers to the tables of the publication.

/** PostgreSQL notifications must be smaller than 8,000 bytes; larger ones go through the outbox. */
const LARGEST_NOTIFICATION = 7_900

/**
 * Uses `json` rather than `jsonb`, since it accepts any row value: an escaped NUL, a number with a thousand
 * digits. The number prevents equal announcements of one transaction from being merged. The channel has a
 * random name, stored in a table that only the owner can read, so that a function that notifies a
 * caller-chosen channel cannot forge announcements.
 */
const TELL = `
drop table if exists realtime.outbox;
create table realtime.outbox (number bigint primary key, body text not null);
create table if not exists realtime.announcer (channel text not null);
insert into realtime.announcer select 'nobody' where not exists (select from realtime.announcer);
create or replace function realtime.tell(body json) returns void language plpgsql as $$
declare
  number bigint := nextval('realtime.change_number');
  announcement text := json_build_object('number', number, 'transaction', pg_current_xact_id()::text, 'body', body);
begin
  if octet_length(announcement) > ${LARGEST_NOTIFICATION} then
    insert into realtime.outbox values (number, announcement);
    announcement := json_build_object('number', number);
  end if;
  perform pg_notify((select channel from realtime.announcer), announcement);
end $$;
revoke all on function realtime.tell(json) from public;`

/** Normalizes value formats, regardless of the writer's session settings. */
const SPELLING = `set timezone = 'UTC' set intervalstyle = 'postgres' set bytea_output = 'hex' set extra_float_digits = 1`

const ANNOUNCE = `
create or replace function realtime.announce() returns trigger language plpgsql security definer
set search_path = '' ${SPELLING} as $$
begin
  perform realtime.tell(case tg_op
    when 'INSERT' then json_build_object('schema', tg_table_schema, 'table', tg_table_name, 'type', tg_op,
      'record', row_to_json(new))
    when 'UPDATE' then json_build_object('schema', tg_table_schema, 'table', tg_table_name, 'type', tg_op,
      'record', row_to_json(new), 'old_record', row_to_json(old))
    else json_build_object('schema', tg_table_schema, 'table', tg_table_name, 'type', tg_op,
      'old_record', row_to_json(old))
  end);
  return null;
end $$;
create or replace function realtime.announce_message() returns trigger language plpgsql security definer
set search_path = '' as $$
begin
  perform realtime.tell(json_build_object('message', json_build_object('id', new.id, 'topic', new.topic,
    'event', new.event, 'private', new.private, 'payload', new.payload,
    'bytes', encode(new.binary_payload, 'base64'))));
  return null;
end $$;
revoke all on function realtime.announce(), realtime.announce_message() from public;
create or replace trigger announce_message after insert on realtime.messages for each row
  when (new.event is not null and new.private is not null and num_nonnulls(new.payload, new.binary_payload) > 0)
  execute function realtime.announce_message();
alter table realtime.messages enable always trigger announce_message;`

/**
 * Only leaf tables have the trigger, so that each partition reports its own changes, as in a replication
 * stream. Triggers run in alphabetical order, and its name sorts first: cascades are announced after their
 * cause. It always fires, even if a restored dump has disabled triggers.
 */
const ATTACH = `
create or replace function realtime.attach_announcements() returns void language plpgsql security definer
set search_path = '' as $$
declare item record;
begin
  perform set_config('realtime.attaching', 'yes', true);
  for item in
    with published as (
      select c.oid, 1 + 4 * bool_or(p.pubinsert)::int + 8 * bool_or(p.pubdelete)::int + 16 * bool_or(p.pubupdate)::int kind
      from pg_catalog.pg_publication_tables t
      join pg_catalog.pg_publication p on p.pubname = t.pubname
      join pg_catalog.pg_namespace n on n.nspname = t.schemaname
      join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = t.tablename and c.relkind = 'r'
      where t.pubname = 'supabase_realtime' and t.schemaname <> 'realtime'
      group by c.oid
    ), attached as (
      select tgrelid oid, tgname, tgtype kind from pg_catalog.pg_trigger
      where tgname in ('chartroom_announce', '00_chartroom_announce') and tgparentid = 0
    )
    select oid::regclass tbl, a.tgname old, p.kind kind
    from published p full join attached a using (oid)
    where coalesce(p.kind, 1) <> coalesce(a.kind, 1) or a.tgname = 'chartroom_announce'
  loop
    begin
      if item.old is not null then execute format('drop trigger %I on %s', item.old, item.tbl); end if;
      if item.kind > 1 then
        execute format('create or replace trigger "00_chartroom_announce" after %s on %s for each row execute function realtime.announce()',
          concat_ws(' or ', case when item.kind & 4 > 0 then 'insert' end,
            case when item.kind & 16 > 0 then 'update' end, case when item.kind & 8 > 0 then 'delete' end), item.tbl);
        execute format('alter table %s enable always trigger "00_chartroom_announce"', item.tbl);
      end if;
    exception when object_in_use then
      raise warning 'Changes of % are announced once it is no longer in use: %', item.tbl, sqlerrm;
    end;
  end loop;
  perform set_config('realtime.attaching', '', true);
end $$;
grant execute on function realtime.attach_announcements() to public;
grant usage on schema realtime to public;`

/** A data folder from before the publication keeps announcing the same tables as before. */
const PUBLICATION = `
do $$
declare tbl regclass;
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
    for tbl in select tgrelid from pg_trigger where tgname = 'chartroom_announce' and tgparentid = 0 loop
      execute format('alter publication supabase_realtime add table %s', tbl);
    end loop;
  end if;
end $$;`

/**
 * Run by the superuser. The function stays the superuser's and calls nothing of the owner's as such, because it always
 * fires.
 */
export const FOLLOW_PUBLICATION = `
drop event trigger if exists realtime_follow_publication;
drop function if exists realtime.follow_publication();
create function realtime.follow_publication() returns event_trigger language plpgsql set search_path = '' as $$
begin
  -- Attaching alters tables itself.
  if 'yes' in (current_setting('realtime.attaching', true), current_setting('chartroom.is_superuser', true)) then
    return;
  end if;
  perform realtime.attach_announcements();
end $$;
create event trigger realtime_follow_publication on ddl_command_end
  when tag in ('CREATE PUBLICATION', 'ALTER PUBLICATION', 'DROP PUBLICATION', 'CREATE TABLE', 'CREATE TABLE AS',
    'SELECT INTO', 'ALTER TABLE', 'ALTER SCHEMA')
  execute function realtime.follow_publication();
alter event trigger realtime_follow_publication enable always;`

/** Runs once per version, after the messages table exists. */
export const ANNOUNCE_SCHEMA = `
create sequence if not exists realtime.change_number;
${TELL}${ANNOUNCE}${ATTACH}${PUBLICATION}
select realtime.attach_announcements();`
