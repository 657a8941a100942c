// The storage schema: buckets and object records, with the helper functions that policies use.
import { createHash } from 'node:crypto'
import { VERSION_PATTERN } from './blobs.ts'
import type { Database } from '../database/index.ts'

/** The user of the request, as in `auth.uid()`. */
const CALLER = `coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''),
  nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')`

/** Runs once per data directory, as the owner. File contents are stored outside the database. */
const CREATE = `
create schema if not exists storage;
create table storage.buckets (
  id text primary key,
  name text not null unique,
  owner uuid,
  owner_id text,
  public boolean not null default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text not null references storage.buckets (id),
  name text not null,
  owner uuid,
  owner_id text,
  version text not null default gen_random_uuid(),
  metadata jsonb not null default '{}',
  user_metadata jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_accessed_at timestamptz not null default now(),
  unique (bucket_id, name)
);
create function storage.foldername(name text) returns text[] language sql immutable as
  $$ select (string_to_array(name, '/'))[1 : array_length(string_to_array(name, '/'), 1) - 1] $$;
create function storage.filename(name text) returns text language sql immutable as
  $$ select (string_to_array(name, '/'))[array_length(string_to_array(name, '/'), 1)] $$;
create function storage.extension(name text) returns text language sql immutable as
  $$ select substring(storage.filename(name) from '\\.([^.]+)$') $$;
alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
grant usage on schema storage to anon, authenticated, service_role;
grant all on all tables in schema storage to service_role;`

/** Columns that this backend does not use, but that projects refer to: in policies, and in dumps of hosted data. */
const HOSTED_COLUMNS = `
do $$ begin
  if to_regtype('storage.buckettype') is null then
    create type storage.buckettype as enum ('STANDARD', 'ANALYTICS', 'VECTOR');
  end if;
end $$;
alter table storage.buckets add column if not exists avif_autodetection boolean default false,
  add column if not exists type storage.buckettype not null default 'STANDARD';
alter table storage.objects
  add column if not exists path_tokens text[] generated always as (string_to_array(name, '/')) stored;`

/**
 * Restricts users to writes that the storage API accepts: an exposed schema must not let them choose the file
 * of a record, or its owner. A version without a matching blob is replaced by one that has none; the
 * project's triggers do not run for that.
 */
const SECURE = `
${HOSTED_COLUMNS}
revoke all on storage.objects, storage.buckets from anon, authenticated;
grant select, delete on storage.objects, storage.buckets to anon, authenticated;
grant insert (bucket_id, name, metadata, user_metadata), update (bucket_id, name, metadata, user_metadata, updated_at)
  on storage.objects to anon, authenticated;
grant insert (id, name, public, file_size_limit, allowed_mime_types),
  update (name, public, file_size_limit, allowed_mime_types, updated_at) on storage.buckets to anon, authenticated;
alter table storage.objects alter owner set default (${CALLER})::uuid, alter owner_id set default ${CALLER};
alter table storage.buckets alter owner set default (${CALLER})::uuid, alter owner_id set default ${CALLER};
set local session_replication_role = replica;
update storage.objects set version = gen_random_uuid() where version !~ '${VERSION_PATTERN}';
set local session_replication_role = origin;
alter table storage.objects drop constraint if exists objects_version_check,
  add constraint objects_version_check check (version ~ '${VERSION_PATTERN}');`

const VERSION = `Chartroom ${createHash('sha256').update(SECURE).digest('hex').slice(0, 16)}`

/** Creates the schema, or upgrades the one of an earlier version. */
export async function prepareStorage(database: Database): Promise<void> {
  await database.owner(async tx => {
    const [row] = await tx.query<{ exists: boolean; version: string | null }>(
      `select to_regclass('storage.objects') is not null as exists,
         obj_description(to_regnamespace('storage'), 'pg_namespace') as version`,
    )
    if (row?.version === VERSION) return
    if (!row?.exists) await tx.script(CREATE)
    await tx.script(`${SECURE} comment on schema storage is '${VERSION}';`)
  })
}
