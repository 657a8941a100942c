insert into public.notes (id, text) select 30, count(*)::text from public.notes;
