SET statement_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET session_replication_role = replica;
INSERT INTO "auth"."audit_log_entries" ("instance_id", "id", "payload", "created_at", "ip_address") VALUES
	('00000000-0000-0000-0000-000000000000', '6fdf0a44-1b2c-4f58-8f0a-000000000001', '{"action":"user_signedup"}', '2024-01-01 00:00:00+00', '');
INSERT INTO "auth"."users" ("instance_id", "id", "aud", "role", "email", "encrypted_password", "email_confirmed_at", "invited_at", "confirmation_token", "confirmation_sent_at", "recovery_token", "recovery_sent_at", "email_change_token_new", "email_change", "email_change_sent_at", "last_sign_in_at", "raw_app_meta_data", "raw_user_meta_data", "is_super_admin", "created_at", "updated_at", "phone", "phone_confirmed_at", "phone_change", "phone_change_token", "phone_change_sent_at", "email_change_token_current", "email_change_confirm_status", "banned_until", "reauthentication_token", "reauthentication_sent_at", "is_sso_user", "deleted_at", "is_anonymous") VALUES
	('00000000-0000-0000-0000-000000000000', '9fdf0a44-1b2c-4f58-8f0a-000000000001', 'authenticated', 'authenticated', 'ada@example.test', '$2a$04$sx5vCHGXRHGgdVDTP4Gr7OEJgSB.WYTyGyIL5nxyAoKMIQPDu5jqS', '2024-01-01 00:00:00+00', NULL, '', NULL, '', NULL, '', '', NULL, NULL, '{"provider": "email", "providers": ["email"]}', '{}', NULL, '2024-01-01 00:00:00+00', '2024-01-01 00:00:00+00', NULL, NULL, '', '', NULL, '', 0, NULL, '', NULL, false, NULL, false);
INSERT INTO "auth"."identities" ("provider_id", "user_id", "identity_data", "provider", "last_sign_in_at", "created_at", "updated_at", "id") VALUES
	('9fdf0a44-1b2c-4f58-8f0a-000000000001', '9fdf0a44-1b2c-4f58-8f0a-000000000001', '{"sub": "9fdf0a44-1b2c-4f58-8f0a-000000000001", "email": "ada@example.test"}', 'email', '2024-01-01 00:00:00+00', '2024-01-01 00:00:00+00', '2024-01-01 00:00:00+00', '8fdf0a44-1b2c-4f58-8f0a-000000000001');
INSERT INTO "auth"."sessions" ("id", "user_id", "created_at", "updated_at", "factor_id", "aal", "not_after", "refreshed_at", "user_agent", "ip", "tag") VALUES
	('7fdf0a44-1b2c-4f58-8f0a-000000000001', '9fdf0a44-1b2c-4f58-8f0a-000000000001', '2024-01-01 00:00:00+00', '2024-01-01 00:00:00+00', NULL, 'aal1', NULL, NULL, 'node', '127.0.0.1', NULL);
INSERT INTO "auth"."mfa_amr_claims" ("session_id", "created_at", "updated_at", "authentication_method", "id") VALUES
	('7fdf0a44-1b2c-4f58-8f0a-000000000001', '2024-01-01 00:00:00+00', '2024-01-01 00:00:00+00', 'password', '5fdf0a44-1b2c-4f58-8f0a-000000000001');
INSERT INTO "auth"."refresh_tokens" ("instance_id", "id", "token", "user_id", "revoked", "created_at", "updated_at", "parent", "session_id") VALUES
	('00000000-0000-0000-0000-000000000000', 1, 'abcdefghijklmnopqrstuv', '9fdf0a44-1b2c-4f58-8f0a-000000000001', false, '2024-01-01 00:00:00+00', '2024-01-01 00:00:00+00', NULL, '7fdf0a44-1b2c-4f58-8f0a-000000000001');
INSERT INTO "storage"."buckets" ("id", "name", "owner", "created_at", "updated_at", "public", "avif_autodetection", "file_size_limit", "allowed_mime_types", "owner_id", "type") VALUES
	('logos', 'logos', NULL, '2024-01-01 00:00:00+00', '2024-01-01 00:00:00+00', true, false, NULL, NULL, NULL, 'STANDARD');
INSERT INTO "storage"."objects" ("id", "bucket_id", "name", "owner", "created_at", "updated_at", "last_accessed_at", "metadata", "version", "owner_id", "user_metadata") VALUES
	('4fdf0a44-1b2c-4f58-8f0a-000000000001', 'logos', 'a/b.png', NULL, '2024-01-01 00:00:00+00', '2024-01-01 00:00:00+00', '2024-01-01 00:00:00+00', '{"size": 3, "mimetype": "image/png"}', '3fdf0a44-1b2c-4f58-8f0a-000000000001', NULL, NULL);
SELECT pg_catalog.setval('"auth"."refresh_tokens_id_seq"', 1, true);
SELECT pg_catalog.setval('"supabase_functions"."hooks_id_seq"', 1, false);
INSERT INTO "public"."posts" ("id", "title", "body", "status", "published_at", "author", "tags") VALUES
	(1, 'Tides; and ''moons''', 'a
b', 'published', '2024-01-02 00:00:00+00', '9fdf0a44-1b2c-4f58-8f0a-000000000001', '{sea,"two words"}'),
	(2, 'Draft', '', 'draft', NULL, NULL, '{}');
SELECT pg_catalog.setval('"public"."posts_id_seq"', 2, true);
RESET ALL;
