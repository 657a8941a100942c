create table public.settings (
  id int primary key,
  value jsonb not null,
  constraint valid_value check (extensions.jsonb_matches_schema('{"type": "object", "properties": {"size": {"type": "integer"}}, "required": ["size"]}', value))
);
comment on table public.settings is e'@graphql({"totalCount": {"enabled": true}})';
comment on column public.settings.value is 'Any; thing''s "value".';
alter table public.settings enable row level security;
create policy "all" on public.settings for select using (true);
create schema if not exists stripe;
create foreign data wrapper stripe_wrapper handler extensions.stripe_fdw_handler validator extensions.stripe_fdw_validator;
create server stripe_server foreign data wrapper stripe_wrapper options (api_key_id '00000000-0000-0000-0000-000000000000');
create foreign table stripe.customers (id text, email text, attrs jsonb) server stripe_server options (object 'customers', rowid_column 'id');
create function public.advise() returns bigint language plpgsql as $$
begin
  return (select count(*) from extensions.index_advisor('select 1'));
end $$;
create function public.resolve(query text) returns jsonb language sql as $$ select graphql.resolve(query) $$;
select vault.create_secret('s3cret', 'stripe_key', 'For the wrapper');
create view public.secret_names as select name from vault.secrets;
revoke all on public.secret_names from anon, authenticated;
