// The migration of `chartroom reports init`: tables, policies, a bucket and the removal of old reports.
import { REPORTS_BUCKET } from '../../services/reports/tables.ts'

/** What differs between projects. */
export interface ReportsSchemaOptions {
  /** Days until a report is removed. */
  readonly days: number
  /** Reports accepted per day from all clients together; later ones are refused with 429. */
  readonly perDay: number
  /** Bytes of files accepted per day from all clients together; later reports are refused with 429. */
  readonly bytesPerDay: number
  /** Largest file, in bytes. */
  readonly bytes: number
}

export const REPORTS_DEFAULTS: ReportsSchemaOptions = {
  days: 90,
  perDay: 10_000,
  bytesPerDay: 5_000_000_000,
  bytes: 20_000_000,
}

/**
 * The SQL of a migration. Anyone with the publishable key can add a report, and only members of
 * `chartroom_report_members` can read one. It needs PostgreSQL 15 with the roles, `auth.users` and storage of
 * a Supabase project.
 */
export const reportsSchema = ({
  days,
  perDay,
  bytesPerDay,
  bytes,
}: ReportsSchemaOptions = REPORTS_DEFAULTS): string => `\
-- Reports of problems with recordings (docs/guide/reports.md of Chartroom).
-- Anyone with the publishable key can add a report. Only members can read reports: add the first one with
--   insert into public.chartroom_report_members select id from auth.users where email = 'you@example.com';

-- Functions and settings, outside of the schemas that the API exposes.
create schema chartroom_private;
grant usage on schema chartroom_private to anon, authenticated, service_role;

create table chartroom_private.settings (
  id boolean primary key default true check (id),
  -- How long reports are kept.
  retention interval not null check (retention >= interval '1 day'),
  -- Reports accepted per day, from all clients together.
  per_day integer not null check (per_day > 0),
  -- Bytes of files accepted per day, from all clients together.
  bytes_per_day bigint not null check (bytes_per_day > 0)
);
insert into chartroom_private.settings (retention, per_day, bytes_per_day)
values (interval '${days} days', ${perDay}, ${bytesPerDay});

-- What was accepted on a day. Each report adds to the row of its day, which also orders concurrent reports.
create table chartroom_private.usage (
  day date primary key,
  reports bigint not null,
  bytes bigint not null
);

create table public.chartroom_report_members (
  user_id uuid primary key references auth.users (id) on delete cascade,
  added_at timestamptz not null default now()
);

create function chartroom_private.is_member() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.chartroom_report_members where user_id = (select auth.uid()))
$$;

-- Reports with the same fingerprint: the same failure, whenever and to whomever it happened.
create table public.chartroom_report_groups (
  fingerprint text primary key,
  title text not null,
  cause text not null,
  status text not null default 'open' check (status in ('open', 'fixed', 'ignored')),
  -- The first version of the app without the failure. A report from this version or a later one reopens.
  fixed_in text check (length(fixed_in) between 1 and 100),
  reopened_at timestamptz,
  notes text not null default '' check (length(notes) <= 20000),
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  last_version text not null,
  -- What a user wrote last about it.
  last_note text not null default '' check (length(last_note) <= 500),
  reports bigint not null,
  -- Number of users that allowed their id to be sent.
  users bigint not null,
  constraint fixed_has_version check (status <> 'fixed' or fixed_in is not null)
);
create index chartroom_report_groups_seen on public.chartroom_report_groups (status, last_seen desc);

-- How often a failure occurred, by day and version of the app.
create table public.chartroom_report_counts (
  fingerprint text not null references public.chartroom_report_groups (fingerprint) on delete cascade,
  day date not null,
  app_version text not null,
  reports bigint not null,
  primary key (fingerprint, day, app_version)
);
create index chartroom_report_counts_day on public.chartroom_report_counts (day);

create table chartroom_private.group_users (
  fingerprint text not null references public.chartroom_report_groups (fingerprint) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  primary key (fingerprint, user_id)
);
create index group_users_user on chartroom_private.group_users (user_id);

-- One partition per month, so that old reports are removed by dropping a table.
create table public.chartroom_reports (
  id uuid not null,
  received_at timestamptz not null default now(),
  -- The time of the failure by the clock of the device.
  happened_at timestamptz not null,
  cause text not null check (cause in ('user', 'error', 'signedOut', 'invariant')),
  fingerprint text not null check (length(fingerprint) between 1 and 200),
  title text not null check (length(title) between 1 and 300),
  app_version text not null default '' check (length(app_version) <= 100),
  -- Name of the recorded system, by which a replay finds its machines.
  system text not null check (length(system) between 1 and 100),
  -- Only if the user allowed it.
  user_id uuid default null references auth.users (id) on delete set null,
  -- Trace id of OpenTelemetry or Sentry, by which a report is found.
  trace_id text check (trace_id ~ '^[0-9a-f]{32}$'),
  note text not null default '' check (length(note) <= 5000),
  -- Folder in the bucket with trace.gz and, if the user agreed, the picture.
  path text not null check (path ~ ('^\\d{4}-\\d{2}-\\d{2}/' || id || '$')),
  trace_bytes integer not null check (trace_bytes between 0 and ${bytes}),
  picture text check (picture in ('page.png', 'page.webp', 'page.jpg')),
  picture_bytes integer not null default 0 check (picture_bytes between 0 and ${bytes}),
  -- The last run of the recording against current machines, entered by \`chartroom reports drive\`.
  driven_at timestamptz,
  driven_version text check (length(driven_version) <= 100),
  driven_outcome text check (driven_outcome in ('fails', 'passes', 'same', 'differs', 'unusable')),
  driven_summary text check (length(driven_summary) <= 2000),
  constraint picture_has_size check ((picture is null) = (picture_bytes = 0)),
  primary key (id, received_at)
) partition by range (received_at);
create index chartroom_reports_group on public.chartroom_reports (fingerprint, received_at desc);
create index chartroom_reports_received on public.chartroom_reports (received_at desc);
create index chartroom_reports_user on public.chartroom_reports (user_id) where user_id is not null;
create index chartroom_reports_trace on public.chartroom_reports (trace_id) where trace_id is not null;

-- Rows for which no partition was made in time.
create table public.chartroom_reports_rest partition of public.chartroom_reports default;
alter table public.chartroom_reports_rest enable row level security;

-- Whether a version is the same as another one or later. Prereleases and hashes can only be the same.
create function chartroom_private.is_at_least(version text, other text) returns boolean
language sql immutable set search_path = '' as $$
  select version = other or coalesce(
    string_to_array(substring(version from '^v?(\\d{1,9}(?:\\.\\d{1,9})*)(?:\\+.*)?$'), '.')::bigint[]
      >= string_to_array(substring(other from '^v?(\\d{1,9}(?:\\.\\d{1,9})*)(?:\\+.*)?$'), '.')::bigint[],
    false)
$$;

-- Refuses a report that was sent twice, and more reports than the settings allow.
create function chartroom_private.admit_report() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  allowed chartroom_private.settings;
begin
  new.received_at := now();
  -- The clock of a device may be wrong by years, and anyone may send any time.
  if new.happened_at is null or new.happened_at not between now() - interval '1 year' and now() + interval '1 day' then
    new.happened_at := now();
  end if;
  new.driven_at := null;
  new.driven_version := null;
  new.driven_outcome := null;
  new.driven_summary := null;
  select * into strict allowed from chartroom_private.settings;
  -- One statement checks and counts: rows of the same statement and concurrent transactions see its result.
  insert into chartroom_private.usage as used (day, reports, bytes)
  select (now() at time zone 'utc')::date, 1, new.trace_bytes + new.picture_bytes
    where new.trace_bytes + new.picture_bytes <= allowed.bytes_per_day
  on conflict (day) do update set reports = used.reports + 1, bytes = used.bytes + excluded.bytes
    where used.reports < allowed.per_day and used.bytes + excluded.bytes <= allowed.bytes_per_day;
  if not found then
    raise exception 'The limit of % reports or % bytes per day is reached.', allowed.per_day, allowed.bytes_per_day
      using errcode = 'PT429', hint = 'Update chartroom_private.settings to accept more.';
  end if;
  -- After a concurrent report has ended, which may be the same.
  if exists (select from public.chartroom_reports where id = new.id) then
    raise exception 'This report was received before.' using errcode = 'unique_violation';
  end if;
  return new;
end $$;

create function chartroom_private.count_report() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_new_user boolean := false;
begin
  insert into public.chartroom_report_groups as known
    (fingerprint, title, cause, first_seen, last_seen, last_version, last_note, reports, users)
  values (new.fingerprint, new.title, new.cause, new.received_at, new.received_at, new.app_version, left(new.note, 500),
    1, 0)
  on conflict (fingerprint) do update set
    last_seen = excluded.last_seen,
    last_version = excluded.last_version,
    last_note = case when excluded.last_note = '' then known.last_note else excluded.last_note end,
    reports = known.reports + 1,
    status = case when known.status = 'fixed'
      and chartroom_private.is_at_least(excluded.last_version, known.fixed_in) then 'open' else known.status end,
    reopened_at = case when known.status = 'fixed'
      and chartroom_private.is_at_least(excluded.last_version, known.fixed_in) then excluded.last_seen
      else known.reopened_at end;
  insert into public.chartroom_report_counts as known (fingerprint, day, app_version, reports)
  values (new.fingerprint, (new.received_at at time zone 'utc')::date, new.app_version, 1)
  on conflict (fingerprint, day, app_version) do update set reports = known.reports + 1;
  if new.user_id is not null then
    insert into chartroom_private.group_users values (new.fingerprint, new.user_id) on conflict do nothing;
    if found then
      update public.chartroom_report_groups set users = users + 1 where fingerprint = new.fingerprint;
    end if;
  end if;
  return null;
end $$;

create function chartroom_private.last_note_of(failure text) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce((select left(note, 500) from public.chartroom_reports
    where fingerprint = failure and note <> '' order by received_at desc limit 1), '')
$$;

-- What a user wrote is gone with the report.
create function chartroom_private.forget_note() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.chartroom_report_groups set last_note = chartroom_private.last_note_of(fingerprint)
  where fingerprint = old.fingerprint and last_note <> '' and last_note = left(old.note, 500);
  return null;
end $$;

create trigger admit before insert on public.chartroom_reports
  for each row execute function chartroom_private.admit_report();
create trigger count after insert on public.chartroom_reports
  for each row execute function chartroom_private.count_report();
create trigger forget after delete on public.chartroom_reports
  for each row execute function chartroom_private.forget_note();

-- Makes the partitions of this month and the next two, and removes what is older than the retention. Files are
-- removed by \`chartroom reports clean\`.
create function chartroom_private.maintain_reports() returns void
language plpgsql security definer set search_path = '' as $$
declare
  keep interval;
  month timestamptz;
  part text;
begin
  select retention into keep from chartroom_private.settings;
  for ahead in 0..2 loop
    month := date_trunc('month', now() at time zone 'utc') at time zone 'utc' + make_interval(months => ahead);
    part := 'chartroom_reports_' || to_char(month at time zone 'utc', 'YYYY_MM');
    if to_regclass(format('public.%I', part)) is null then
      execute format('create table public.%I (like public.chartroom_reports including defaults including constraints)', part);
      execute format('alter table public.%I enable row level security', part);
      execute format('revoke all on public.%I from anon, authenticated', part);
      execute format('with moved as (delete from public.chartroom_reports_rest where received_at >= %L
        and received_at < %L returning *) insert into public.%I select * from moved', month, month + interval '1 month', part);
      execute format('alter table public.chartroom_reports attach partition public.%I for values from (%L) to (%L)',
        part, month, month + interval '1 month');
    end if;
  end loop;
  for part in
    select relname from pg_catalog.pg_class where relname ~ '^chartroom_reports_\\d{4}_\\d{2}$' and relkind = 'r'
      and relnamespace = 'public'::regnamespace
      and to_date(right(relname, 7), 'YYYY_MM') + interval '1 month' < (now() - keep) at time zone 'utc'
  loop
    execute format('drop table public.%I', part);
  end loop;
  delete from public.chartroom_reports where received_at < now() - keep;
  -- A dropped partition runs no triggers, and moved rows run those of removed ones.
  update public.chartroom_report_groups set last_note = chartroom_private.last_note_of(fingerprint)
  where last_note <> chartroom_private.last_note_of(fingerprint);
  delete from public.chartroom_report_counts where day < (now() - keep)::date;
  delete from chartroom_private.usage where day < (now() at time zone 'utc')::date - 1;
  delete from public.chartroom_report_groups where last_seen < now() - keep and status <> 'fixed' and notes = '';
end $$;
select chartroom_private.maintain_reports();

-- The same for \`chartroom reports clean\`, with the secret key.
create function public.chartroom_reports_maintain() returns void
language sql security invoker set search_path = '' as $$ select chartroom_private.maintain_reports() $$;
revoke all on function public.chartroom_reports_maintain() from public, anon, authenticated;
grant execute on function public.chartroom_reports_maintain() to service_role;

-- Privileges and row policies.
alter table public.chartroom_report_members enable row level security;
alter table public.chartroom_report_groups enable row level security;
alter table public.chartroom_report_counts enable row level security;
alter table public.chartroom_reports enable row level security;
revoke all on public.chartroom_report_members, public.chartroom_report_groups, public.chartroom_report_counts,
  public.chartroom_reports, public.chartroom_reports_rest from anon, authenticated;
revoke all on all tables in schema chartroom_private from public, anon, authenticated;
revoke all on all functions in schema chartroom_private from public, anon, authenticated;

grant insert (id, happened_at, cause, fingerprint, title, app_version, system, user_id, trace_id, note, path, trace_bytes, picture,
  picture_bytes)
  on public.chartroom_reports to anon, authenticated;
grant select on public.chartroom_reports, public.chartroom_report_groups, public.chartroom_report_counts,
  public.chartroom_report_members to authenticated;
grant update (status, fixed_in, notes) on public.chartroom_report_groups to authenticated;
grant update (driven_at, driven_version, driven_outcome, driven_summary) on public.chartroom_reports to authenticated;
grant delete on public.chartroom_reports to authenticated;
grant all on public.chartroom_report_members, public.chartroom_report_groups, public.chartroom_report_counts,
  public.chartroom_reports to service_role;
grant select, update on chartroom_private.settings to service_role;
grant execute on function chartroom_private.is_member() to anon, authenticated, service_role;
grant execute on function chartroom_private.maintain_reports() to service_role;

create policy "anyone reports" on public.chartroom_reports for insert to anon, authenticated
  with check (user_id is null or user_id = (select auth.uid()));
create policy "members read reports" on public.chartroom_reports for select to authenticated
  using ((select chartroom_private.is_member()));
create policy "members enter results" on public.chartroom_reports for update to authenticated
  using ((select chartroom_private.is_member())) with check ((select chartroom_private.is_member()));
create policy "members remove reports" on public.chartroom_reports for delete to authenticated
  using ((select chartroom_private.is_member()));
create policy "members read groups" on public.chartroom_report_groups for select to authenticated
  using ((select chartroom_private.is_member()));
create policy "members triage groups" on public.chartroom_report_groups for update to authenticated
  using ((select chartroom_private.is_member())) with check ((select chartroom_private.is_member()));
create policy "members read counts" on public.chartroom_report_counts for select to authenticated
  using ((select chartroom_private.is_member()));
create policy "members read members" on public.chartroom_report_members for select to authenticated
  using ((select chartroom_private.is_member()));

-- The files. A recording can be added to a report that was received in the last seven days, once, and is no larger
-- than the report says.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('${REPORTS_BUCKET}', '${REPORTS_BUCKET}', false, ${bytes},
  array['application/gzip', 'image/png', 'image/webp', 'image/jpeg']);

create function chartroom_private.may_attach(name text, metadata jsonb) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.chartroom_reports
    where id = substring(name from
        '^\\d{4}-\\d{2}-\\d{2}/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/[a-z.]+$')::uuid
      and received_at > now() - interval '7 days'
      and coalesce((metadata ->> 'size')::bigint, (metadata ->> 'contentLength')::bigint, 0)
        <= case name when path || '/trace.gz' then trace_bytes when path || '/' || picture then picture_bytes else -1 end
  )
$$;
revoke all on function chartroom_private.may_attach(text, jsonb) from public;
grant execute on function chartroom_private.may_attach(text, jsonb) to anon, authenticated;

create policy "anyone adds files to a report" on storage.objects for insert to anon, authenticated
  with check (bucket_id = '${REPORTS_BUCKET}' and chartroom_private.may_attach(name, metadata));
create policy "members read files of reports" on storage.objects for select to authenticated
  using (bucket_id = '${REPORTS_BUCKET}' and (select chartroom_private.is_member()));
create policy "members remove files of reports" on storage.objects for delete to authenticated
  using (bucket_id = '${REPORTS_BUCKET}' and (select chartroom_private.is_member()));

-- Every night, where pg_cron is enabled. Elsewhere run \`chartroom reports clean\`, which does the same.
do $$ begin
  if exists (select from pg_catalog.pg_extension where extname = 'pg_cron') then
    execute $cron$ select cron.schedule('chartroom-reports', '17 3 * * *',
      'select chartroom_private.maintain_reports()') $cron$;
  end if;
end $$;
`
