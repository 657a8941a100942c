alter table public.notes add column kind text not null default 'note';
