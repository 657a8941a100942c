// pg_cron: jobs in a table, which the backend runs.

/** Notified when jobs have changed. */
export const CRON_CHANNEL = 'chartroom_cron'

/**
 * What a schedule is, by the rules of pg_cron's parser (entry.c), which ignores what follows a part that it could read.
 * Also replaces the functions of databases from earlier versions.
 */
export const CRON_SYNTAX = `
create or replace function cron._is_number(part text, low int, high int, names text[]) returns boolean language sql immutable as $$
  select coalesce(
    case when lower(part) = any (names) then true when part ~ '^\\d{1,9}$' then part::int between low and high end, false)
$$;
create or replace function cron._is_field(field text, low int, high int, names text[]) returns boolean language plpgsql immutable as $$
declare
  rest text := field;
  found_range text[];
begin
  loop
    found_range := regexp_match(rest, '^(?:(\\*)|([A-Za-z0-9]+)(?:(-)([A-Za-z0-9]*))?)(?:(/)([A-Za-z0-9]*))?');
    if found_range is null then return false; end if;
    if found_range[2] is not null and not cron._is_number(found_range[2], low, high, names) then return false; end if;
    if found_range[3] is not null and not cron._is_number(found_range[4], low, high, names) then return false; end if;
    -- A step needs a range.
    if found_range[5] is not null and (found_range[2] is not null and found_range[3] is null
      or found_range[6] !~ '^\\d{1,9}$' or found_range[6]::int = 0) then return false; end if;
    rest := substr(rest, length(substring(rest from '^(?:\\*|[A-Za-z0-9]+(?:-[A-Za-z0-9]*)?)(?:/[A-Za-z0-9]*)?')) + 1);
    if left(rest, 1) <> ',' or rest = '' then return true; end if;
    rest := substr(rest, 2);
  end loop;
end $$;
create or replace function cron._is_schedule(schedule text) returns boolean language plpgsql immutable as $$
declare
  f text[] := regexp_split_to_array(btrim(schedule, e' \\t\\n'), '[ \\t\\n]+');
begin
  if schedule ~* '^\\s*0*([1-9]|[1-5]\\d)\\s*seconds?\\s*$' then return true; end if;
  if f[1] ~ '^@(reboot|restart|yearly|annually|monthly|weekly|daily|midnight|hourly)$' then return true; end if;
  return cardinality(f) >= 5
    and cron._is_field(f[1], 0, 59, '{}') and cron._is_field(f[2], 0, 23, '{}')
    and (f[3] = '$' or cron._is_field(f[3], 1, 31, '{}'))
    and cron._is_field(f[4], 1, 12, '{jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec}')
    and cron._is_field(f[5], 0, 7, '{sun,mon,tue,wed,thu,fri,sat}');
end $$;`

export const CRON_SCRIPT = `
create schema cron;
create table cron.job (
  jobid bigserial primary key,
  schedule text not null,
  command text not null,
  nodename text not null default 'localhost',
  nodeport integer not null default 5432,
  database text not null default current_database(),
  username text not null default current_user,
  active boolean not null default true,
  jobname text,
  constraint jobname_username_uniq unique (jobname, username)
);
create table cron.job_run_details (
  jobid bigint,
  runid bigserial primary key,
  job_pid integer,
  database text,
  username text,
  command text,
  status text,
  return_message text,
  start_time timestamptz,
  end_time timestamptz
);
alter table cron.job enable row level security;
create policy cron_job_policy on cron.job using (username = current_user);
alter table cron.job_run_details enable row level security;
create policy cron_job_run_details_policy on cron.job_run_details using (username = current_user);

create function cron._wake() returns trigger language plpgsql as $$
begin
  perform pg_catalog.pg_notify('${CRON_CHANNEL}', '');
  return null;
end $$;
create trigger wake after insert or update or delete or truncate on cron.job
for each statement execute function cron._wake();

${CRON_SYNTAX}
create function cron._require_schedule(schedule text) returns void language plpgsql immutable as $$
begin
  if cron._is_schedule(schedule) is true then return; end if;
  raise invalid_parameter_value using message = 'invalid schedule: ' || coalesce(schedule, 'null'),
    hint = 'Use cron format (e.g. 5 4 * * *), or interval format ''[1-59] seconds''';
end $$;

create function cron.schedule_in_database(
  job_name text, schedule text, command text, database text, username text default null, active boolean default true
) returns bigint language plpgsql volatile as $$
declare
  id bigint;
begin
  perform cron._require_schedule(schedule);
  insert into cron.job as j (jobname, schedule, command, database, username, active)
  values (job_name, schedule, command, coalesce(database, current_database()), coalesce(username, current_user), active)
  on conflict on constraint jobname_username_uniq do update set
    schedule = excluded.schedule, command = excluded.command, database = excluded.database, active = excluded.active
  returning j.jobid into id;
  return id;
end $$;
create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql volatile as $$
  select cron.schedule_in_database(job_name, schedule, command, null)
$$;
create function cron.schedule(schedule text, command text) returns bigint language sql volatile as $$
  select cron.schedule_in_database(null, schedule, command, null)
$$;
create function cron.unschedule(job_id bigint) returns boolean language plpgsql volatile as $$
begin
  delete from cron.job where jobid = job_id;
  if found then return true; end if;
  raise exception 'could not find valid entry for job %', job_id;
end $$;
create function cron.unschedule(job_name text) returns boolean language plpgsql volatile as $$
begin
  delete from cron.job where jobname = job_name and username = current_user;
  if found then return true; end if;
  raise exception 'could not find valid entry for job ''%''', job_name;
end $$;
create function cron.alter_job(
  job_id bigint, schedule text default null, command text default null, database text default null,
  username text default null, active boolean default null
) returns void language plpgsql volatile as $$
begin
  if schedule is not null then perform cron._require_schedule(schedule); end if;
  update cron.job j set
    schedule = coalesce(alter_job.schedule, j.schedule), command = coalesce(alter_job.command, j.command),
    database = coalesce(alter_job.database, j.database), username = coalesce(alter_job.username, j.username),
    active = coalesce(alter_job.active, j.active)
  where jobid = job_id;
  if not found then raise exception 'Job % does not exist or you don''t own it', job_id; end if;
end $$;
revoke execute on all functions in schema cron from public;`
