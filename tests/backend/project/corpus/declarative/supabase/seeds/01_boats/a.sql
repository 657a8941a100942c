insert into public.boats (name, length_m) values ('Gull', 12.5), ('Tern', 8);
