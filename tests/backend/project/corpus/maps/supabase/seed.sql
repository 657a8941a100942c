insert into public.places values (1, 'Pier', 54.32, 10.13), (2, 'Far', 50, 8);
