insert into public.notes (id, text) values (1, 'first');
