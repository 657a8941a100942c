create or replace function public.broadcast_message() returns trigger security definer set search_path = '' language plpgsql as $$
declare
  topic text;
begin
  select r.topic into topic from public.rooms r where r.id = new.room_id;
  perform realtime.broadcast_changes('room:' || topic, tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
  perform realtime.send(jsonb_build_object('body', new.body), 'said', 'room:' || topic, true);
  return null;
end;
$$;
create trigger broadcast_message after insert on public.messages for each row execute function public.broadcast_message();

create policy "listen in rooms" on realtime.messages for select to authenticated
using (exists (select 1 from public.room_users u join public.rooms r on r.id = u.room_id
  where u.user_id = (select auth.uid()) and 'room:' || r.topic = (select realtime.topic())));
create policy "speak in rooms" on "realtime"."messages" for insert to authenticated
with check (realtime.messages.extension in ('broadcast', 'presence'));
