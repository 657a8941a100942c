insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at, confirmation_token, email_change, email_change_token_new, recovery_token)
select '00000000-0000-0000-0000-000000000000', uuid_generate_v4(), 'authenticated', 'authenticated', 'user' || n || '@example.test',
  crypt('password123', gen_salt('bf', 4)), current_timestamp, '{"provider":"email","providers":["email"]}', jsonb_build_object('full_name', 'User ' || n), now(), now(), '', '', '', ''
from generate_series(1, 2) n;
insert into auth.identities (id, user_id, provider_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
select uuid_generate_v4(), id, id, format('{"sub":"%s","email":"%s"}', id::text, email)::jsonb, 'email', now(), now(), now() from auth.users;
insert into public.teams (name, created_by) select 'Blue Boats', id from auth.users where email = 'user1@example.test';
