insert into public.boats (name) select 'Dinghy ' || n from generate_series(1, 3) as n;
