create view "api"."boats" with (security_invoker = true) as select id, name, length_m from public.boats;
