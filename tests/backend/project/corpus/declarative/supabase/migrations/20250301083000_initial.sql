set check_function_bodies = off;

create schema if not exists "api";

create domain "public"."meters" as numeric(6,2) check (value > 0);

create table "public"."boats" (
    "id" uuid not null default gen_random_uuid(),
    "name" text not null,
    "length_m" public.meters
);

alter table "public"."boats" enable row level security;

CREATE UNIQUE INDEX boats_pkey ON public.boats USING btree (id);

alter table "public"."boats" add constraint "boats_pkey" PRIMARY KEY using index "boats_pkey";

alter table "public"."boats" add constraint "boats_name_check" CHECK ((char_length(name) > 1)) not valid;

alter table "public"."boats" validate constraint "boats_name_check";

CREATE OR REPLACE FUNCTION api.longest()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select name from api.boats order by length_m desc nulls last limit 1
$function$
;

create or replace view "api"."boats" with (security_invoker = true) as  SELECT boats.id,
    boats.name,
    boats.length_m
   FROM public.boats;

grant usage on schema "api" to "anon", "authenticated", "service_role", "reporter";

grant delete on table "public"."boats" to "authenticated";

grant insert on table "public"."boats" to "authenticated";

grant references on table "public"."boats" to "anon";

grant select on table "public"."boats" to "anon", "authenticated", "service_role", "reporter";

grant trigger on table "public"."boats" to "service_role";

grant truncate on table "public"."boats" to "service_role";

grant update on table "public"."boats" to "authenticated";

grant select on table "api"."boats" to "anon", "authenticated", "service_role", "reporter";

grant insert, update, delete on table "api"."boats" to "authenticated", "service_role";

create policy "Everybody reads"
on "public"."boats"
as permissive
for select
to anon, authenticated, reporter
using (true);

create policy "Signed-in users add"
on "public"."boats"
as permissive
for insert
to authenticated
with check ((( SELECT auth.uid() AS uid) IS NOT NULL));

create policy "No tankers"
on "public"."boats"
as restrictive
for insert
to authenticated
with check ((name <> 'Tanker'::text));
