// Extensions in a project's migrations, as hosted projects accept them. On a server with PostgreSQL's contrib modules,
// the tests of trigger functions run the originals in C.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, afterEach, expect, test } from 'vitest'
import { startBackend, type Backend } from '../../backend/index.ts'
import { isOnServer, testOnPglite } from '../harness/engine.ts'

const root = mkdtempSync(join(tmpdir(), 'chartroom-project-extensions-'))
const running: Backend[] = []
const clients: postgres.Sql[] = []
afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.end({ timeout: 1 })))
  await Promise.all(running.splice(0).map(backend => backend.stop()))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0
/** Starts a project with these migrations. */
async function start(...migrations: readonly string[]) {
  const project = join(root, String((count += 1)))
  mkdirSync(join(project, 'supabase/migrations'), { recursive: true })
  for (const [index, migration] of migrations.entries())
    writeFileSync(join(project, `supabase/migrations/${index + 1}_m.sql`), migration)
  const backend = await startBackend({ data: 'memory', project, port: 0, databaseAccess: {}, deno: false })
  running.push(backend)
  const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
  clients.push(sql)
  return { backend, sql }
}

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

test('moddatetime sets its column at each update, and refuses other uses with the errors of PostgreSQL', async () => {
  const { backend, sql } = await start(`
    create extension if not exists moddatetime schema extensions;
    create table a (id int primary key, v text, "Updated at" timestamptz, local timestamp,
      twice int generated always as (id * 2) stored);
    create trigger touch before update on a for each row execute procedure moddatetime ("Updated at");
    create trigger touch_local before update on a for each row execute function extensions.moddatetime ('local');
    insert into a (id, v) values (1, 'x');
    create table b (id int, at timestamptz, day date);`)
  expect(backend.project?.emptyExtensions).toEqual([])
  const [row] =
    await sql`update a set v = 'y' where id = 1 returning v, twice, "Updated at" = now() as is, local = localtimestamp as local`
  expect(row).toEqual({ v: 'y', twice: 2, is: true, local: true })
  const wrong = [
    ['before insert on b for each row', 'at', 'XX000', 'moddatetime: cannot process INSERT events'],
    ['before update on b for each row', '', 'XX000', 'moddatetime (b): A single argument was expected'],
    ['before update on b for each row', 'at, id', 'XX000', 'moddatetime (b): A single argument was expected'],
    ['before update on b for each row', 'none', '09000', '"b" has no attribute "none"'],
    [
      'before update on b for each row',
      'day',
      '09000',
      'attribute "day" of "b" must be type TIMESTAMP or TIMESTAMPTZ',
    ],
    ['after update on b for each row', 'at', 'XX000', 'moddatetime: must be fired before event'],
    ['before update on b', 'at', 'XX000', 'moddatetime: must be fired for row'],
  ] as const
  for (const [when, column, code, message] of wrong) {
    await sql.unsafe(
      `truncate b; insert into b values (1); create trigger wrong ${when} execute function extensions.moddatetime (${column})`,
    )
    const statement = when.includes('insert') ? 'insert into b values (2)' : 'update b set id = 3'
    expect(await errorOf(sql.unsafe(statement))).toMatchObject({ code, message })
    await sql.unsafe('drop trigger wrong on b')
  }
})

test('insert_username and autoinc fill their columns', async () => {
  const { sql } = await start(`
    create extension insert_username with schema extensions;
    create extension autoinc with schema extensions;
    create table notes (id int, by text, v text);
    create sequence next_note minvalue 0 start 0;
    create trigger by before insert or update on notes for each row execute procedure insert_username (by);
    create trigger id before insert or update on notes for each row execute procedure autoinc (id, next_note);
    create table wrong (id bigint, by int);
    create trigger by before insert on wrong for each row execute procedure insert_username (by);`)
  await sql`insert into notes (v) values ('a'), ('b')`
  await sql`insert into notes (id, v, by) values (9, 'c', 'mate')`
  expect([...(await sql`select id, by, v from notes order by id`)]).toEqual([
    { id: 1, by: 'postgres', v: 'a' },
    { id: 2, by: 'postgres', v: 'b' },
    { id: 9, by: 'postgres', v: 'c' },
  ])
  expect(await errorOf(sql`insert into wrong values (1, 2)`)).toMatchObject({
    code: '09000',
    message: 'attribute "by" of "wrong" must be type TEXT',
  })
  await sql.unsafe(
    'drop trigger by on wrong; create trigger id before insert on wrong for each row execute procedure extensions.autoinc (id, next_note)',
  )
  expect(await errorOf(sql`insert into wrong values (1, 2)`)).toMatchObject({
    code: '09000',
    message: 'attribute "id" of "wrong" must be type INT4',
  })
})

const NAMES = ['hypopg', 'pg_tle', 'pgaudit', 'pg_repack', 'plpgsql_check', 'pg_stat_monitor', 'pgsodium']

test('extensions that exist in name only can be created, changed and dropped, and are listed', async () => {
  const { backend, sql } = await start(
    ...NAMES.map(
      name => `
        create schema if not exists apart;
        create extension if not exists "${name}" with schema extensions version '1.0' cascade;
        COMMENT ON EXTENSION ${name} IS 'named';
        alter extension ${name} update;
        alter extension ${name} update to '9.9.9';
        drop extension if exists ${name} cascade;
        do $$ begin
          if not exists (select from pg_extension where extname = '${name}') then create extension ${name}; end if;
        end $$;`,
    ),
    `create extension index_advisor cascade; create extension wrappers schema extensions;
     create function advise() returns int language plpgsql as $$
       begin return (select count(*) from index_advisor('select 1')); end $$;`,
  )
  const rows = await sql`select extname from pg_extension where extname = any (${[...NAMES, 'wrappers']})`
  expect(rows.map(row => String(row['extname'])).sort()).toEqual([...NAMES, 'wrappers'].sort())
  expect(backend.project?.emptyExtensions).toContain('pgaudit (supabase/migrations/3_m.sql)')
  expect(await errorOf(sql`select advise()`)).toMatchObject({
    code: '0A000',
    message: 'index_advisor does not work: the embedded backend has index_advisor in name only',
  })
})

test.each([
  'drop extension pg_graphql;',
  'drop extension pg_graphql; create extension pg_graphql;',
  'create extension pg_graphql with schema graphql;',
  'CREATE EXTENSION IF NOT EXISTS "pg_graphql" WITH SCHEMA "graphql";\ncomment on extension "pg_graphql" is \'x\';',
  'drop extension if exists pgjwt; drop extension pgsodium cascade;',
  'create extension pg_net; alter extension pg_net update;',
  `drop extension if exists "pg_net"; create extension if not exists "pg_net" with schema "public";`,
  `alter extension supabase_vault update to '0.3.1';`,
  `alter extension supabase_vault update to "0.2.8"; alter extension supabase_vault update;`,
  `alter extension pg_stat_statements set schema public;`,
  `select * from extensions.pg_stat_statements_info where false; create view slow as select query, calls from extensions.pg_stat_statements;`,
  `do $$ begin if exists (select from pg_available_extensions where name = 'pg_cron') then execute 'create extension if not exists pg_cron'; end if; end $$;
   select cron.schedule('a', '* * * * *', 'select 1');`,
  'create extension citext; alter extension citext set schema extensions; create table t (a citext);',
])('starts with %j, as hosted projects do', async migration => {
  const { backend } = await start(migration)
  expect(backend.project?.migrations).toEqual(['supabase/migrations/1_m.sql'])
})

test('unknown names are refused with the words of PostgreSQL', async () => {
  await expect(start('create extension nonsense;')).rejects.toThrow(
    `extension "nonsense" is not available. The ${isOnServer ? 'PostgreSQL server' : 'embedded PostgreSQL'} has no extension nonsense.`,
  )
  await expect(start('create extension moddatetim;')).rejects.toThrow('Similar: moddatetime.')
  await expect(start('drop extension nonsense;')).rejects.toThrow('extension "nonsense" does not exist.')
})

testOnPglite('versions of shipped extensions that hosted projects pin are the one that exists', async () => {
  const { sql } = await start(`
    create extension vector with schema extensions version '0.5.1';
    alter extension vector update to '0.7.0';
    create table items (embedding vector(3));`)
  expect([...(await sql`select extversion from pg_extension where extname = 'vector'`)]).toEqual([
    { extversion: '0.7.0' },
  ])
})

test('pgmq queues messages', async () => {
  const { backend, sql } = await start(`create extension if not exists pgmq; select pgmq.create('jobs');`)
  expect(backend.project?.emptyExtensions).toEqual([])
  expect([...(await sql`select pgmq.send('jobs', '{"n": 1}')`)]).toEqual([{ send: '1' }])
  expect([...(await sql`select pgmq.send_batch('jobs', array['{"n": 2}', '{"n": 3}']::jsonb[])`)]).toEqual([
    { send_batch: '2' },
    { send_batch: '3' },
  ])
  await sql`select pgmq.send('jobs', '{"n": 4}', 60)`
  expect([...(await sql`select msg_id, read_ct, message from pgmq.read('jobs', 30, 2)`)]).toEqual([
    { msg_id: '1', read_ct: 1, message: { n: 1 } },
    { msg_id: '2', read_ct: 1, message: { n: 2 } },
  ])
  expect([
    ...(await sql`select pgmq.archive('jobs', 1), pgmq.delete('jobs', 2), pgmq.delete('jobs', 7) as none`),
  ]).toEqual([{ archive: true, delete: true, none: false }])
  expect([...(await sql`select message from pgmq.pop('jobs')`)]).toEqual([{ message: { n: 3 } }])
  expect([...(await sql`select msg_id from pgmq.a_jobs`)]).toEqual([{ msg_id: '1' }])
  expect([
    ...(await sql`select queue_length, queue_visible_length, total_messages from pgmq.metrics('jobs')`),
  ]).toEqual([{ queue_length: '1', queue_visible_length: '0', total_messages: '4' }])
  expect([...(await sql`select pgmq.purge_queue('jobs'), pgmq.drop_queue('jobs')`)]).toEqual([
    { purge_queue: '1', drop_queue: true },
  ])
})

test('pg_jsonschema checks values', async () => {
  const schema = `{
    "type": "object",
    "required": ["name"],
    "properties": {
      "name": {"type": "string", "minLength": 2, "pattern": "^[a-z]+$"},
      "size": {"$ref": "#/$defs/size"},
      "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": true, "maxItems": 2},
      "kind": {"oneOf": [{"const": "x"}, {"type": "number"}]},
      "at": {"anyOf": [{"type": "null"}, {"type": "integer"}]},
      "pair": {"prefixItems": [{"type": "integer"}], "items": false}
    },
    "additionalProperties": false,
    "if": {"properties": {"size": {"const": 9}}, "required": ["size"]},
    "then": {"required": ["tags"]},
    "$defs": {"size": {"type": "integer", "minimum": 1, "exclusiveMaximum": 10}}
  }`
  const { sql } = await start(`
    create extension if not exists pg_jsonschema with schema extensions;
    create table boats (data jsonb check (jsonb_matches_schema('${schema}', data)));`)
  const fitting = [
    { name: 'ab', size: 3, tags: ['a', 'b'], kind: 'x', at: null, pair: [1] },
    { name: 'ab', kind: 2, size: 2.0 },
    { name: 'ab', size: 9, tags: [] },
  ]
  for (const value of fitting) await sql`insert into boats values (${sql.json(value)})`
  const others = [
    {},
    { name: 'a' },
    { name: 'AB' },
    { name: 'ab', size: 10 },
    { name: 'ab', size: 0.5 },
    { name: 'ab', tags: ['a', 'a'] },
    { name: 'ab', tags: ['c'] },
    { name: 'ab', kind: 'y' },
    { name: 'ab', at: 'now' },
    { name: 'ab', pair: [1, 2] },
    { name: 'ab', other: 1 },
    { name: 'ab', size: 9 },
    [],
  ]
  for (const value of others)
    expect(await errorOf(sql`insert into boats values (${sql.json(value)})`)).toMatchObject({ code: '23514' })
  const [row] = await sql`select
    extensions.jsonschema_is_valid('{"type": "object"}') as valid, extensions.jsonschema_is_valid('{"type": "obj"}') as invalid,
    extensions.json_matches_schema('{"maxLength": 4}', '"12345"') as long,
    extensions.jsonschema_validation_errors('{"maxLength": 4}', '"12345"') as errors`
  expect(row).toEqual({
    valid: true,
    invalid: false,
    long: false,
    errors: ['"12345" is longer than 4 characters'],
  })
  expect(
    await errorOf(sql`select extensions.json_matches_schema('{"$ref": "https://example.test/a"}', '1')`),
  ).toMatchObject({ code: '0A000' })
})

test('pgjwt signs and verifies tokens', async () => {
  const { sql } = await start('create extension pgjwt with schema extensions;')
  const [row] = await sql`
    with token as (select extensions.sign('{"sub":"1234567890","name":"John Doe","admin":true}', 'secret') as text)
    select text, v.valid, w.valid as other from token, extensions.verify(text, 'secret') v, extensions.verify(text, 'other') w`
  // The example of the README of pgjwt.
  expect(row).toEqual({
    text: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiYWRtaW4iOnRydWV9.TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ',
    valid: true,
    other: false,
  })
})

test('foreign tables of wrappers can be created, and explain nothing but fail when read', async () => {
  const { sql } = await start(`
    create extension wrappers with schema extensions;
    create foreign data wrapper stripe handler extensions.stripe_fdw_handler validator extensions.stripe_fdw_validator;
    create server stripe foreign data wrapper stripe options (api_key_id 'x');
    create foreign table customers (id text) server stripe options (object 'customers');
    create extension postgres_fdw with schema extensions;
    create server other foreign data wrapper postgres_fdw options (host 'localhost', dbname 'x');
    create user mapping for postgres server other options (user 'x', password 'y');
    create foreign table others (id int) server other;`)
  expect(await errorOf(sql`select * from customers`)).toMatchObject({ code: '0A000' })
})

test('extensions with a fixed schema are created there, also without a search path', async () => {
  const { sql } = await start(
    `select pg_catalog.set_config('search_path', '', false);
     create extension if not exists "pgsodium";
     create extension if not exists "pg_tle";
     create extension if not exists pgmq with schema extensions;
     select pgmq.create('jobs');
     drop extension if exists pg_graphql; create extension pg_graphql;
     select pgtle.uninstall_extension_if_exists('anything');`,
  )
  const rows =
    await sql`select extname, nspname from pg_extension e join pg_namespace n on n.oid = extnamespace
    where extname in ('pgsodium', 'pg_tle', 'pgmq', 'pg_graphql') order by extname`
  expect([...rows]).toEqual([
    { extname: 'pg_graphql', nspname: 'graphql' },
    { extname: 'pg_tle', nspname: 'pgtle' },
    { extname: 'pgmq', nspname: 'pgmq' },
    { extname: 'pgsodium', nspname: 'pgsodium' },
  ])
  await expect(
    start(`select pg_catalog.set_config('search_path', '', false); create extension moddatetime;`),
  ).rejects.toThrow('no schema has been selected to create in')
})

test('dumps of version 17 run on a server of an earlier version, too', async () => {
  const { backend } = await start(
    'SET transaction_timeout = 0;\nset local transaction_timeout = 0;\nset session statement_timeout = 0;',
  )
  expect(backend.project?.migrations).toHaveLength(1)
})
