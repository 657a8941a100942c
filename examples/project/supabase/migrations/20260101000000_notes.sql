-- Notes that only their author can see, with row changes over realtime.
create table public.notes (
  id bigint generated always as identity primary key,
  author uuid not null default auth.uid() references auth.users (id) on delete cascade,
  text text not null check (text <> ''),
  created_at timestamptz not null default now()
);

alter table public.notes enable row level security;
grant select, insert, delete on public.notes to authenticated;

create policy "users read their own notes" on public.notes
  for select to authenticated using (author = (select auth.uid()));
create policy "users write their own notes" on public.notes
  for insert to authenticated with check (author = (select auth.uid()));
create policy "users delete their own notes" on public.notes
  for delete to authenticated using (author = (select auth.uid()));

alter publication supabase_realtime add table public.notes;
