insert into public.accounts values (1, 'ada', 100), (2, 'grace', 50);
select public.move_money(1, 2, 30);
