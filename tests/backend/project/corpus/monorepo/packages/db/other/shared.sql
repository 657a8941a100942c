insert into public.notes (id, text) values (40, 'shared');
