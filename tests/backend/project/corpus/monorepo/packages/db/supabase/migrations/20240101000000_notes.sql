create table public.notes (id int primary key, text text not null);
