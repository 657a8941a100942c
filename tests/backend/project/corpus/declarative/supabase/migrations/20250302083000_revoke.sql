revoke delete on table "public"."boats" from "authenticated";

drop policy "Everybody reads" on "public"."boats";

create policy "Everybody reads"
on "public"."boats"
as permissive
for select
to public
using (true);
