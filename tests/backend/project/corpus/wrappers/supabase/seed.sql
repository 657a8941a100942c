insert into public.settings values (1, '{"size": 3}');
