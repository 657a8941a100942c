begin;
create function public.is_team_admin(team bigint) returns boolean language sql stable security invoker set search_path to '' as $$
  select exists (
    select 1 from public.team_members m
    where m.team_id = team and m.user_id = (select auth.uid()) and m.role in ('owner', 'admin')
  )
$$;
create policy "Admins rename" on public.teams for update to authenticated using (public.is_team_admin(id));
commit;
comment on function public.is_team_admin is 'Whether the caller administers a team.';
notify pgrst, 'reload schema';
