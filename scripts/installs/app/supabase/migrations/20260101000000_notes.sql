create table public.notes (id bigint primary key, text text);
grant all on public.notes to anon;
insert into public.notes values (1, 'from the migration');
