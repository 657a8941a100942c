create table if not exists public.rooms (
    id uuid default gen_random_uuid() primary key,
    topic text unique not null,
    is_public boolean not null default false
);
create table public.room_users (room_id uuid references public.rooms on delete cascade, user_id uuid references auth.users on delete cascade, primary key (room_id, user_id));
create table public.messages (
    id bigint generated always as identity,
    room_id uuid not null references public.rooms on delete cascade,
    user_id uuid not null default auth.uid(),
    body text not null,
    inserted_at timestamp with time zone default timezone('utc'::text, now()) not null,
    primary key (id, inserted_at)
) partition by range (inserted_at);
create table public.messages_2023 partition of public.messages for values from ('2023-01-01') to ('2024-01-01');
create table public.messages_rest partition of public.messages default;
create index messages_room on public.messages using btree (room_id, inserted_at desc);
alter table public.rooms enable row level security;
alter table public.room_users enable row level security;
alter table public.messages enable row level security;
alter table public.messages_2023 enable row level security;
alter table public.messages_rest enable row level security;
create policy "rooms of their users" on public.rooms for select using (is_public or exists (select 1 from public.room_users u where u.room_id = id and u.user_id = auth.uid()));
create policy "own" on public.room_users for all to authenticated using (user_id = auth.uid()) with check (user_id = auth.uid());
create policy "read" on public.messages for select using (exists (select 1 from public.rooms r where r.id = room_id));
create policy "write" on public.messages for insert to authenticated with check (user_id = auth.uid() and exists (select 1 from public.rooms r where r.id = room_id));

begin;
  drop publication if exists supabase_realtime;
  create publication supabase_realtime;
commit;
alter publication supabase_realtime add table public.rooms;
alter publication supabase_realtime add table public.messages;
alter table public.rooms replica identity full;
