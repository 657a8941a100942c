insert into public.notes (id, text) select id + 10, text || ' again' from public.notes;
