// pg_net: SQL queues requests, and the backend sends them after the commit.

/** Notified when requests were queued. */
export const NET_CHANNEL = 'chartroom_net'

export const NET_SCRIPT = `
create schema net;
create table net.http_request_queue (
  id bigserial primary key,
  method text not null check (method in ('GET', 'POST', 'DELETE')),
  url text not null,
  headers jsonb,
  body bytea,
  timeout_milliseconds int not null
);
create table net._http_response (
  id bigint,
  status_code integer,
  content_type text,
  headers jsonb,
  content text,
  timed_out boolean,
  error_msg text,
  created timestamptz not null default now()
);
create index _http_response_created_idx on net._http_response (created);

create function net._wake() returns trigger language plpgsql as $$
begin
  perform pg_catalog.pg_notify('${NET_CHANNEL}', '');
  return null;
end $$;
create trigger wake after insert on net.http_request_queue for each statement execute function net._wake();

create function net._urlencode_string(string varchar) returns text language sql immutable strict as $$
  select coalesce(string_agg(
    case when letter ~ '^[A-Za-z0-9_.~-]$' then letter
    else upper(regexp_replace(encode(convert_to(letter, 'UTF8'), 'hex'), '(..)', '%\\1', 'g')) end, '' order by place), '')
  from regexp_split_to_table(string, '') with ordinality as letters (letter, place)
$$;

create function net._with_params(url text, params jsonb) returns text language sql immutable as $$
  select url || coalesce(
    case when url like '%?%' then '&' else '?' end
      || string_agg(net._urlencode_string(key) || '=' || net._urlencode_string(value), '&' order by place), '')
  from jsonb_each_text(coalesce(params, '{}')) with ordinality as pairs (key, value, place)
$$;

create function net._queue(method text, url text, params jsonb, headers jsonb, body bytea, timeout_milliseconds int)
returns bigint language sql volatile as $$
  insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
  values (method, net._with_params(url, params), headers, body, timeout_milliseconds)
  returning id
$$;

create function net.http_get(
  url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds int default 5000
) returns bigint language sql volatile strict security definer set search_path = net, pg_catalog as $$
  select net._queue('GET', url, params, headers, null, timeout_milliseconds)
$$;

create function net.http_delete(
  url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds int default 5000,
  body jsonb default null
) returns bigint language sql volatile security definer set search_path = net, pg_catalog as $$
  select net._queue('DELETE', url, params, headers, convert_to(body::text, 'UTF8'), timeout_milliseconds)
$$;

create function net.http_post(
  url text, body jsonb default '{}', params jsonb default '{}',
  headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds int default 5000
) returns bigint language plpgsql volatile security definer set search_path = net, pg_catalog as $$
declare
  content_type text := (
    select value from jsonb_each_text(coalesce(headers, '{}')) where lower(key) = 'content-type' limit 1
  );
begin
  if body is null then
    raise exception 'body must not be null';
  elsif content_type <> 'application/json' then
    raise exception 'Content-Type header must be "application/json"';
  elsif content_type is null then
    headers := coalesce(headers, '{}') || '{"Content-Type": "application/json"}';
  end if;
  return net._queue('POST', url, params, headers, convert_to(body::text, 'UTF8'), timeout_milliseconds);
end $$;

create type net.request_status as enum ('PENDING', 'SUCCESS', 'ERROR');
create type net.http_response as (status_code integer, headers jsonb, body text);
create type net.http_response_result as (status net.request_status, message text, response net.http_response);

create function net._http_collect_response(request_id bigint, async boolean default true)
returns net.http_response_result language plpgsql stable strict security definer set search_path = net, pg_catalog as $$
declare
  found_response net._http_response;
begin
  select * into found_response from net._http_response where id = request_id;
  if found_response.id is null and exists (select from net.http_request_queue where id = request_id) then
    if not async then
      raise feature_not_supported using
        message = 'the embedded database cannot wait for the response: the request is sent after the commit',
        hint = 'Read net._http_response in a later transaction.';
    end if;
    return row('PENDING', 'request is pending processing', null)::net.http_response_result;
  elsif found_response.id is null then
    return row('ERROR', 'request matching request_id not found', null)::net.http_response_result;
  elsif found_response.error_msg is not null then
    return row('ERROR', found_response.error_msg, null)::net.http_response_result;
  end if;
  return row('SUCCESS', 'ok',
    row(found_response.status_code, found_response.headers, found_response.content)::net.http_response
  )::net.http_response_result;
end $$;
create function net.http_collect_response(request_id bigint, async boolean default true)
returns net.http_response_result language sql stable strict as $$
  select net._http_collect_response(request_id, async)
$$;

create function net.worker_restart() returns boolean language sql as $$ select true $$;
create function net.check_worker_is_up() returns void language sql as $$ select $$;

grant usage on schema net to anon, authenticated, service_role, supabase_functions_admin;
revoke execute on all functions in schema net from public;
grant execute on function net.http_get, net.http_post, net.http_delete
  to anon, authenticated, service_role, supabase_functions_admin;
grant execute on function net._urlencode_string, net._with_params, net._http_collect_response, net.http_collect_response,
  net.worker_restart, net.check_worker_is_up to service_role;`

/** What the dashboard's database webhooks use; the local stack of the Supabase CLI has it from the start. */
export const WEBHOOKS_SCRIPT = `
create schema if not exists supabase_functions;
grant usage on schema supabase_functions to anon, authenticated, service_role, supabase_functions_admin;
create table if not exists supabase_functions.hooks (
  id bigserial primary key,
  hook_table_id integer not null,
  hook_name text not null,
  created_at timestamptz not null default now(),
  request_id bigint
);
create index if not exists supabase_functions_hooks_request_id_idx on supabase_functions.hooks (request_id);
create or replace function supabase_functions.http_request() returns trigger
language plpgsql security definer set search_path = supabase_functions, pg_catalog as $$
declare
  url text := nullif(tg_argv[0], 'null');
  method text := nullif(tg_argv[1], 'null');
  headers jsonb := coalesce(nullif(tg_argv[2], 'null'), '{"Content-Type": "application/json"}');
  params jsonb := coalesce(nullif(tg_argv[3], 'null'), '{}');
  timeout_ms integer := coalesce(nullif(tg_argv[4], 'null'), '1000');
  request_id bigint;
begin
  if url is null then
    raise exception 'url argument is missing';
  elsif method is null then
    raise exception 'method argument is missing';
  elsif method = 'GET' then
    request_id := net.http_get(url, params, headers, timeout_ms);
  elsif method = 'POST' then
    request_id := net.http_post(url, jsonb_build_object(
      'old_record', old, 'record', new, 'type', tg_op, 'table', tg_table_name, 'schema', tg_table_schema
    ), params, headers, timeout_ms);
  else
    raise exception 'method argument % is invalid', method;
  end if;
  insert into supabase_functions.hooks (hook_table_id, hook_name, request_id) values (tg_relid, tg_name, request_id);
  return new;
end $$;
grant all on supabase_functions.hooks to service_role;
revoke execute on function supabase_functions.http_request from public;
grant execute on function supabase_functions.http_request to anon, authenticated, service_role;`
