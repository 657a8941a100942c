create extension pg_cron;
create extension if not exists pg_net;
create extension if not exists pgmq with schema pgmq;
grant usage on schema cron to postgres;
grant all privileges on all tables in schema cron to postgres;

create table public.log (id bigint generated always as identity primary key, what text not null, at timestamptz default now());
alter table public.log enable row level security;

select pgmq.create('emails');
select pgmq.create_unlogged('events');
alter table pgmq.q_emails enable row level security;

create or replace function public.enqueue(to_address text) returns bigint language sql security definer set search_path = '' as $$
  select * from pgmq.send('emails', jsonb_build_object('to', to_address, 'text', (select decrypted_secret from vault.decrypted_secrets where name = 'greeting')))
$$;

create or replace function public.work_off() returns integer language plpgsql security definer set search_path = '' as $$
declare
  job record;
  done integer := 0;
begin
  for job in select * from pgmq.read('emails', 30, 10) loop
    insert into public.log (what) values ((job.message ->> 'to') || ': ' || (job.message ->> 'text'));
    perform pgmq.delete('emails', job.msg_id);
    done := done + 1;
  end loop;
  return done;
end $$;
revoke execute on function public.enqueue, public.work_off from public, anon, authenticated;

select cron.schedule('work off', '1 seconds', 'select public.work_off()');
select cron.schedule('nightly', '0 3 */100 * *', $$delete from public.log where at < now() - interval '90 days'$$);
select cron.schedule_in_database('vacuum', '0 4 * * *', 'vacuum public.log', 'postgres');
select cron.alter_job((select jobid from cron.job where jobname = 'nightly'), schedule := '30 3 * * 1-5');
select cron.unschedule('vacuum') where exists (select 1 from cron.job where jobname = 'vacuum');

create function public.call_home() returns trigger language plpgsql security definer as $$
begin
  perform net.http_post(url := 'http://host.docker.internal:9/never', body := jsonb_build_object('row', to_jsonb(new)),
    headers := '{"Content-Type": "application/json"}'::jsonb, timeout_milliseconds := 100);
  return new;
end $$;
create trigger call_home after insert on public.log for each row when (new.what like 'call %') execute function public.call_home();
create trigger webhook after insert on public.log for each row when (new.what like 'hook %')
  execute function supabase_functions.http_request('http://host.docker.internal:9/never', 'POST', '{"Content-Type":"application/json"}', '{}', '1000');
