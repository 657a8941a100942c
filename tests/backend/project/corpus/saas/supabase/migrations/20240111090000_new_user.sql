create or replace function public.handle_new_user()
returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  insert into public.profiles (id, email, full_name)
  values (new.id, new.email, new.raw_user_meta_data ->> 'full_name');
  return new;
end;
$$;
create or replace trigger on_auth_user_created
  after insert on auth.users
  for each row execute procedure public.handle_new_user();

create function private.add_owner() returns trigger language plpgsql security definer set search_path = '' as $fn$
begin
  insert into public.team_members (team_id, user_id, role) values (new.id, new.created_by, 'owner');
  return null;
end $fn$;
create trigger add_owner after insert on public.teams for each row execute function private.add_owner();
revoke execute on function public.handle_new_user() from anon, authenticated, public;
