update public.boats set length_m = 9.25 where name = 'Tern';
