select public.enqueue('ada@example.test');
insert into public.log (what) values ('call me'), ('hook me');
