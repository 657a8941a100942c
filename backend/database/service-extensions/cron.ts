// pg_cron: jobs in a table, which the backend runs.

/** Notified when jobs have changed. */
export const CRON_CHANNEL = 'chartroom_cron'

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

create function cron._is_number(part text, low int, high int, names text[]) returns boolean language sql immutable as $$
  select case when part ~ '^\\d{1,2}$' then part::int between low and high else lower(part) = any (names) end
$$;
create function cron._is_field(field text, low int, high int, names text[]) returns boolean language sql immutable as $$
  select bool_and(
    (bounds[1] = '*' or cron._is_number(bounds[1], low, high, names))
    and (bounds[2] is null or (bounds[1] <> '*' and cron._is_number(bounds[2], low, high, names)))
    and (step is null or step ~ '^[1-9]\\d?$')
  )
  from regexp_split_to_table(field, ',') as item,
    lateral (select split_part(item, '/', 1) as span, nullif(substr(item, strpos(item || '/', '/') + 1), '') as step) parts,
    lateral (select string_to_array(span, '-') as bounds) ends
$$;
create function cron._is_schedule(schedule text) returns boolean language plpgsql immutable as $$
declare
  f text[] := regexp_split_to_array(btrim(schedule), '\\s+');
begin
  if schedule ~* '^\\s*([1-9]|[1-5]\\d)\\s+seconds?\\s*$' then return true; end if;
  if btrim(schedule) ~* '^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$' then return true; end if;
  return cardinality(f) = 5
    and cron._is_field(f[1], 0, 59, '{}') and cron._is_field(f[2], 0, 23, '{}')
    and (f[3] = '$' or cron._is_field(f[3], 1, 31, '{}'))
    and cron._is_field(f[4], 1, 12, '{jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec}')
    and cron._is_field(f[5], 0, 7, '{sun,mon,tue,wed,thu,fri,sat}');
end $$;
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
