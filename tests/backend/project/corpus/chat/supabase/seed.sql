insert into public.rooms (topic, is_public) values ('harbor', true), ('bridge', false);
insert into public.messages (room_id, user_id, body, inserted_at)
select id, '00000000-0000-0000-0000-000000000001', 'Old: ' || topic, '2023-05-05' from public.rooms;
