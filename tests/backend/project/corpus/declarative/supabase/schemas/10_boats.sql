create table "public"."boats" ("id" uuid not null default gen_random_uuid(), "name" text not null, "length_m" numeric(6, 2));
