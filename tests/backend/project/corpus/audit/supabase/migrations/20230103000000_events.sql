create table public.ddl_log (id bigint generated always as identity primary key, tag text, object text);
create or replace function public.log_ddl() returns event_trigger language plpgsql security definer as $$
declare
  command record;
begin
  for command in select * from pg_event_trigger_ddl_commands() loop
    insert into public.ddl_log (tag, object) values (command.command_tag, command.object_identity);
  end loop;
end $$;
create event trigger log_ddl on ddl_command_end when tag in ('CREATE TABLE', 'ALTER TABLE') execute function public.log_ddl();
create table public.seen_by_trigger (id int);
alter table public.ddl_log enable row level security;
alter table public.seen_by_trigger enable row level security;

set local role authenticated;
select set_config('request.jwt.claims', '{"sub": "00000000-0000-0000-0000-000000000001", "role": "authenticated"}', true);
do $$ begin
  if auth.uid() is distinct from '00000000-0000-0000-0000-000000000001' then raise 'no user'; end if;
end $$;
reset role;
create temporary table scratch on commit drop as select 1 as one;
savepoint before;
insert into scratch values (2);
rollback to savepoint before;
lock table public.accounts in share mode;
alter role authenticator set pgrst.db_aggregates_enabled = 'true';
alter default privileges for role postgres in schema public revoke execute on functions from public;
alter default privileges in schema audit grant select on tables to auditor;
grant select on audit.record_version to auditor, service_role;
