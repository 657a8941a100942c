insert into public.channels values (1, 'general'), (2, 'random');
