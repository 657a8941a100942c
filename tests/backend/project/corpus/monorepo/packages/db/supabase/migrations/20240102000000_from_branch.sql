alter table public.notes add column author uuid default auth.uid();
