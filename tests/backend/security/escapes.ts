// Ways by which a function of a user tries to become another role, and SQL that runs them and looks who it is then.

/** What a function of the API may run with `execute`, to leave its role. */
export const ESCAPES: readonly string[] = [
  'select 1',
  'reset role',
  'set role none',
  'set role default',
  'set local role none',
  'set session role none',
  'set role postgres',
  'set local role postgres',
  'set session role postgres',
  'set role supabase_admin',
  'set role authenticator',
  'set role authenticated',
  'set local role service_role',
  'set role pg_read_all_data',
  'set role pg_execute_server_program',
  'set role "no such role"',
  'reset session authorization',
  'set session authorization default',
  'set local session authorization default',
  'set session authorization postgres',
  'set local session authorization postgres',
  'set session session authorization postgres',
  'set session authorization supabase_admin',
  'set session authorization authenticator',
  'set local session authorization authenticator',
  'set session authorization authenticated',
  `set session_authorization = 'postgres'`,
  `set role = 'postgres'`,
  `select set_config('role', 'postgres', true)`,
  `select set_config('role', 'postgres', false)`,
  `select set_config('role', 'none', true)`,
  `select set_config('role', 'service_role', true)`,
  `select set_config('session_authorization', 'postgres', true)`,
  `select set_config('session_authorization', 'postgres', false)`,
  `select set_config('session_authorization', 'authenticator', true)`,
  `select set_config('is_superuser', 'on', true)`,
  'set is_superuser = on',
  `update pg_settings set setting = 'postgres' where name = 'role'`,
  `update pg_settings set setting = 'postgres' where name = 'session_authorization'`,
  'reset all',
  'discard all',
  'do $x$ begin reset role; end $x$',
  'do $x$ begin set local role postgres; end $x$',
  'do $x$ begin execute $y$set session authorization postgres$y$; end $x$',
  'do $x$ begin reset session authorization; set role postgres; end $x$',
  'do $x$ begin reset role; set role service_role; end $x$',
  'do $x$ begin set role authenticated; reset role; end $x$',
  'do $x$ begin set role postgres; exception when others then reset role; end $x$',
  'do $x$ begin commit; end $x$',
  'select public.with_role()',
  'select public.with_login()',
  'call public.change_role()',
  'alter role anon superuser',
  'alter role authenticator superuser',
  'alter role anon rename to anon2',
  'grant postgres to anon',
  'grant service_role to anon',
  'create role evil superuser',
  'alter database postgres set role = postgres',
  'alter role anon set role = postgres',
  'create function pg_temp.f() returns int language sql security definer as $x$ select 1 $x$',
  'alter system set log_statement = all',
  `copy (select 1) to program 'id'`,
  `copy (select 1) to '/tmp/chartroom-escape'`,
  `select pg_read_file('/etc/passwd')`,
  `select lo_import('/etc/passwd')`,
  `load 'auto_explain'`,
  `set session_replication_role = replica`,
  'set row_security = off',
  'lock table pg_authid in access exclusive mode',
  'select * from pg_authid',
  'select * from public.sealed',
]

/** Objects of the owner: `attempt` reports who runs after a statement, and what it may then do. */
export const ESCAPE_SCHEMA = `
create table public.sealed (id int primary key);
insert into public.sealed values (1);
revoke all on public.sealed from anon, authenticated, service_role;
create function public.state() returns json language plpgsql as $$
declare rows text; created text; become text;
begin
  begin perform from public.sealed; rows := 'read'; exception when others then rows := sqlstate; end;
  begin create role later_evil; drop role later_evil; created := 'created';
    exception when others then created := sqlstate; end;
  begin execute 'set local session authorization postgres'; become := session_user;
    exception when others then become := sqlstate; end;
  return json_build_object('session', session_user, 'current', current_user, 'role', current_setting('role'),
    'super', current_setting('is_superuser'), 'sealed', rows, 'create role', created, 'become', become,
    'member', pg_has_role(session_user, 'service_role', 'member'), 'owns', pg_has_role('postgres', 'usage'));
end $$;
create function public.with_role() returns text language sql set role = 'postgres' as $$ select current_user::text $$;
create function public.with_login() returns text language sql set session_authorization = 'postgres' as $$ select session_user::text $$;
create procedure public.change_role() language plpgsql as $$ begin reset role; commit; set role postgres; end $$;
create function public.attempt(statement text) returns json language plpgsql as $$
declare failure text;
begin
  begin execute statement; exception when others then failure := sqlstate; end;
  return json_build_object('failure', failure, 'state', public.state());
end $$;
create function public.attempt_for_policy(statement text) returns boolean language plpgsql as $$
begin
  if statement is not null then raise exception '%', public.attempt(statement); end if;
  return true;
end $$;
create table public.tried (id int generated always as identity primary key, statement text, outcome json);
create function public.attempt_in_trigger() returns trigger language plpgsql as $$
begin new.outcome := public.attempt(new.statement); return new; end $$;
create trigger attempt before insert on public.tried for each row execute function public.attempt_in_trigger();
create table public.wanted (id int primary key, statement text);
create view public.attempts with (security_invoker) as select id, public.attempt(statement) as outcome from public.wanted;
create table public.guarded (id int primary key);
insert into public.guarded values (1);
alter table public.guarded enable row level security;
create policy attempt on public.guarded using (public.attempt_for_policy(nullif(current_setting('request.headers', true), '')::json ->> 'x-statement'));
grant select, insert on public.tried, public.wanted, public.guarded, public.attempts to anon, authenticated;`

/** The check of a well-known snippet for custom claims: only sessions of the API are checked for a claim. */
export const CLAIMS_SCHEMA = `
create function public.is_claims_admin() returns boolean language plpgsql as $$
begin
  if session_user = 'authenticator' then
    if coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb ->> 'role' = 'service_role' then
      return true;
    end if;
    return coalesce((nullif(current_setting('request.jwt.claims', true), '')::jsonb -> 'app_metadata' ->> 'claims_admin')::boolean, false);
  end if;
  return true;
end $$;
create function public.set_claim(uid uuid, claim text, value jsonb) returns text language plpgsql security definer
set search_path = public as $$
begin
  if not public.is_claims_admin() then return 'error: access denied'; end if;
  update auth.users set raw_app_meta_data = raw_app_meta_data || json_build_object(claim, value)::jsonb where id = uid;
  return 'OK';
end $$;`
