// Casts of domains, and handlers of media types, as PostgREST documents them.
import { expect, test } from 'vitest'
import { ODD_NAMES, quoted, startReader, tableOf } from './reader.ts'

const { readAfter, query } = await startReader('create table lines (id int primary key, name text)')

/** https://docs.postgrest.org/en/v14/references/api/domain_representations.html */
const UUIDS = `
  create domain public.app_uuid as uuid;
  create table profiles (id app_uuid, name text);
  create function public.json(app_uuid) returns json language sql immutable as
    $$ select to_json(encode(uuid_send($1), 'base64')) $$;
  create cast (app_uuid as json) with function public.json(app_uuid) as implicit;
  create function app_uuid(text) returns app_uuid language sql immutable as
    $$ select substring(decode($1, 'base64')::text from 3)::uuid $$;
  create cast (text as app_uuid) with function app_uuid(text) as implicit;
  create function app_uuid(json) returns public.app_uuid language sql immutable as $$ select app_uuid($1 #>> '{}') $$;
  create cast (json as public.app_uuid) with function app_uuid(json) as implicit;
`

test('casts of a domain, by the type of its columns', async () => {
  const cache = await readAfter(UUIDS)
  const type = tableOf(cache, 'profiles').columns.get('id')?.type ?? ''
  expect(type).toBe('public.app_uuid')
  // Quoted where `json` is a keyword, since PostgreSQL 17.
  expect(cache.representation(type, 'json')).toMatch(/^public\."?json"?$/)
  expect(cache.representation('text', type)).toBe('public.app_uuid')
  expect(cache.representation('json', type)).toBe('public.app_uuid')
  expect(cache.representation(type, 'text')).toBeUndefined()
  expect(cache.representation('constructor', '__proto__')).toBeUndefined()
})

test('a domain over a domain, whose function is in another schema', async () => {
  const cache = await readAfter(`
    create schema "Odd.""schema";
    create domain inner_color as int check (value >= 0);
    create domain color as inner_color;
    create function "Odd.""schema"."to ""text"(color) returns text language sql immutable as $$ select '#' || $1::int $$;
    create cast (color as text) with function "Odd.""schema"."to ""text"(color) as implicit;
  `)
  expect(cache.representation('public.color', 'text')).toBe('"Odd.""schema"."to ""text"')
  expect(cache.representation('public.inner_color', 'text')).toBeUndefined()
})

test('only implicit casts by functions that may be called, between a domain and json or text', async () => {
  const cache = await readAfter(`
    create domain a as int;
    create domain b as int;
    create domain c as int;
    create domain d as int;
    create type pair as (x int);
    create function a_json(a) returns json language sql immutable as 'select to_json($1::int)';
    create function b_json(b) returns json language sql immutable as 'select to_json($1::int)';
    create function c_date(c) returns date language sql immutable as 'select now()::date';
    create function d_json(d) returns json language sql immutable as 'select to_json($1::int)';
    create function pair_json(pair) returns json language sql immutable as 'select to_json($1.x)';
    create cast (a as json) with function a_json(a);
    create cast (b as json) with function b_json(b) as assignment;
    create cast (c as date) with function c_date(c) as implicit;
    create cast (d as json) with function d_json(d) as implicit;
    create cast (pair as json) with function pair_json(pair) as implicit;
    revoke execute on function d_json from public, anon, authenticated, service_role;
  `)
  for (const type of ['a', 'b', 'c', 'd', 'pair'])
    expect(cache.representation(`public.${type}`, 'json')).toBeUndefined()
  expect(cache.representation('public.c', 'date')).toBeUndefined()
})

test('domains of any name', async () => {
  const cache = await readAfter(
    ODD_NAMES.map(name => {
      const own = quoted(name)
      return `create domain ${own} as int; create table ${quoted(`${name} t`)} (a ${own});
        create function ${own}(${own}) returns json language sql immutable as 'select to_json($1::int)';
        create cast (${own} as json) with function ${own}(${own}) as implicit`
    }).join(';\n'),
  )
  for (const name of ODD_NAMES) {
    const type = tableOf(cache, `${name} t`).columns.get('a')?.type ?? ''
    const [expected] = await query<{ type: string }>('select format($$public.%I$$, $1::text) as type', [name])
    expect(type).toBe(expected?.type)
    expect(cache.representation(type, 'json')).toBe(expected?.type)
  }
})

/** https://docs.postgrest.org/en/v14/references/api/media_type_handlers.html */
const HANDLERS = `
  create domain "application/vnd.twkb" as bytea;
  create function get_line(id int) returns "application/vnd.twkb" language sql as $$ select 'x'::bytea $$;
  create function twkb_handler_transition(state bytea, next lines) returns "application/vnd.twkb" language sql as
    $$ select state || next.name::bytea $$;
  create aggregate twkb_agg(lines) (initcond = '', stype = "application/vnd.twkb", sfunc = twkb_handler_transition);
  create domain "text/csv" as text;
  create function any_csv_final(data text) returns "text/csv" language sql as 'select data';
  create function any_csv_step(state text, next anyelement) returns text language sql as 'select state';
  create aggregate any_csv(anyelement) (initcond = '', stype = text, sfunc = any_csv_step, finalfunc = any_csv_final);
  create domain "*/*" as bytea;
  create view "lines.xml" as select * from lines;
  create function lines_xml_trans(state "*/*", next "lines.xml") returns "*/*" language sql as $$ select state $$;
  create aggregate lines_xml_agg("lines.xml") (stype = "*/*", sfunc = lines_xml_trans);
`
const named = (name: string, schema = 'public') => ({ schema, name })

test('aggregates of rows produce the media types that their domains are named like', async () => {
  const cache = await readAfter(HANDLERS)
  expect(cache.mediaHandler(named('lines'), 'application/vnd.twkb')).toEqual({
    function: named('twkb_agg'),
    of: named('lines'),
    media: 'application/vnd.twkb',
  })
  expect(cache.mediaHandler(named('lines.xml'), '*/*')).toEqual({
    function: named('lines_xml_agg'),
    of: named('lines.xml'),
    media: '*/*',
  })
  expect(cache.mediaHandler(named('lines'), '*/*')).toBeUndefined()
  expect(cache.mediaHandler(named('lines'), 'text/csv')).toBeUndefined()
})

test('an aggregate of any element is one for any table', async () => {
  const cache = await readAfter(HANDLERS)
  expect(cache.mediaHandler(undefined, 'text/csv')).toEqual({
    function: named('any_csv'),
    of: undefined,
    media: 'text/csv',
  })
  expect(cache.mediaHandler(undefined, 'application/vnd.twkb')).toBeUndefined()
})

test('for the result of a function, the domain is the handler', async () => {
  const cache = await readAfter(HANDLERS)
  expect(cache.mediaHandler(named('get_line'), 'application/vnd.twkb')).toEqual({
    function: named('application/vnd.twkb'),
    of: named('get_line'),
    media: 'application/vnd.twkb',
  })
})

test('domains of other names, and functions of other schemas, are no handlers', async () => {
  const cache = await readAfter(`
    create schema hidden;
    create domain "text" as pg_catalog.text;
    create domain "a/b/c" as bytea;
    create domain "Text/Plain" as pg_catalog.text;
    create domain hidden."image/png" as bytea;
    create function plain() returns public."text" language sql as $$ select 'x' $$;
    create function slashes() returns "a/b/c" language sql as $$ select 'x'::bytea $$;
    create function upper_case() returns "Text/Plain" language sql as $$ select 'x' $$;
    create function image() returns hidden."image/png" language sql as $$ select 'x'::bytea $$;
    create function images() returns setof hidden."image/png" language sql as $$ select 'x'::bytea $$;
    create function hidden.image() returns hidden."image/png" language sql as $$ select 'x'::bytea $$;
  `)
  expect(cache.mediaHandler(named('plain'), 'text')).toBeUndefined()
  expect(cache.mediaHandler(named('slashes'), 'a/b/c')).toBeUndefined()
  expect(cache.mediaHandler(named('upper_case'), 'text/plain')?.function).toEqual(named('Text/Plain'))
  expect(cache.mediaHandler(named('image'), 'image/png')?.function).toEqual(named('image/png', 'hidden'))
  expect(cache.mediaHandler(named('images'), 'image/png')).toBeUndefined()
  expect(cache.mediaHandler(named('image', 'hidden'), 'image/png')).toBeUndefined()
})
