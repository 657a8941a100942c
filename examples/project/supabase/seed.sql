-- Two users with the password "chartroom-demo", and a note of each.
insert into auth.users (
  instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
  raw_user_meta_data, created_at, updated_at, confirmation_token, recovery_token, email_change,
  email_change_token_new
)
select
  '00000000-0000-0000-0000-000000000000', id, 'authenticated', 'authenticated', email,
  extensions.crypt('chartroom-demo', extensions.gen_salt('bf')), now(),
  '{"provider": "email", "providers": ["email"]}', '{}', now(), now(), '', '', '', ''
from (values
  ('11111111-1111-4111-8111-111111111111'::uuid, 'ada@example.com'),
  ('22222222-2222-4222-8222-222222222222'::uuid, 'grace@example.com')
) as users (id, email);

insert into auth.identities (id, user_id, provider, provider_id, identity_data, created_at, updated_at)
select
  gen_random_uuid(), id, 'email', id::text, jsonb_build_object('sub', id::text, 'email', email), now(), now()
from auth.users;

insert into public.notes (author, text) values
  ('11111111-1111-4111-8111-111111111111', 'Buy rope'),
  ('22222222-2222-4222-8222-222222222222', 'Mend the sail');
