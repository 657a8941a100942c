// Functions that REST can call, with their parameters, results and settings.
import { expect, test } from 'vitest'
import { ODD_NAMES, quoted, startReader } from './reader.ts'

const { query, readAfter } = await startReader(`
  create schema hidden;
  create table things (id int primary key, name text);
  create table hidden.secrets (id int);
  create type pair as (a int, b text);
  create domain pairs as pair;
  create domain pairs_again as pairs;
  create domain short as varchar(3);
`)

const named = (name: string) => ({ schema: 'public', name })

async function functionAfter(script: string) {
  const cache = await readAfter(script)
  const [routine, ...others] = cache.functions(named('f'))
  expect(others).toEqual([])
  if (!routine) throw new Error('There is no function f.')
  return routine
}

test('a whole function', async () => {
  const routine = await functionAfter(`
    create function f(a int, b text default 'x', "C" timestamptz default now()) returns int
      language sql stable as 'select 1';
    comment on function f is 'Does "f".';
  `)
  expect(routine).toEqual({
    id: expect.stringMatching(/^\d+$/),
    schema: 'public',
    name: 'f',
    comment: 'Does "f".',
    parameters: [
      { name: 'a', type: 'integer', readAs: 'integer', isRequired: true, isVariadic: false },
      { name: 'b', type: 'text', readAs: 'text', isRequired: false, isVariadic: false },
      {
        name: 'C',
        type: 'timestamp with time zone',
        readAs: 'timestamp with time zone',
        isRequired: false,
        isVariadic: false,
      },
    ],
    returns: { isSet: false, isComposite: false, type: { schema: 'pg_catalog', name: 'int4' } },
    volatility: 'stable',
    isVariadic: false,
    settings: {},
    isolation: undefined,
  })
})

test('types without a length are read by types that keep the whole value', async () => {
  const { parameters } = await functionAfter(
    'create function f(a char, b char[], c bit, d bit[], e varchar, f short, g pair, h things[]) returns void language sql as $$$$',
  )
  expect(parameters.map(({ type, readAs }) => [type, readAs])).toEqual([
    ['character', 'character varying'],
    ['character[]', 'character varying[]'],
    ['bit', 'bit varying'],
    ['bit[]', 'bit varying[]'],
    ['character varying', 'character varying'],
    ['public.short', 'public.short'],
    ['public.pair', 'public.pair'],
    ['public.things[]', 'public.things[]'],
  ])
})

test('variadic parameters', async () => {
  const routine = await functionAfter(
    'create function f(a int, variadic b text[]) returns void language sql as $$$$',
  )
  expect(routine.isVariadic).toBe(true)
  expect(routine.parameters).toMatchObject([
    { name: 'a', isVariadic: false },
    { name: 'b', type: 'text[]', isVariadic: true, isRequired: true },
  ])
})

test.each([
  ['int', false, false, 'pg_catalog.int4'],
  ['void', false, false, 'pg_catalog.void'],
  ['setof text', true, false, 'pg_catalog.text'],
  ['int[]', false, false, 'pg_catalog._int4'],
  ['things', false, true, 'public.things'],
  ['setof things', true, true, 'public.things'],
  ['setof hidden.secrets', true, true, 'hidden.secrets'],
  ['pair', false, true, 'public.pair'],
  ['pairs', false, true, 'public.pair'],
  ['setof pairs_again', true, true, 'public.pair'],
  ['short', false, false, 'pg_catalog.varchar'],
  ['record', false, false, 'pg_catalog.record'],
  ['setof record', true, false, 'pg_catalog.record'],
  ['table (x int, y int)', true, true, 'pg_catalog.record'],
  ['table (x int)', true, true, 'pg_catalog.int4'],
])('returns %s', async (type, isSet, isComposite, name) => {
  const { returns, parameters } = await functionAfter(
    `create function f(a int) returns ${type} language plpgsql as $$ begin return; end $$`.replace(
      'begin return; end',
      type.startsWith('setof') || /table|void/.test(type) ? 'begin return; end' : 'begin return null; end',
    ),
  )
  expect(returns).toEqual({
    isSet,
    isComposite,
    type: { schema: name.split('.')[0], name: name.split('.')[1] },
  })
  expect(parameters.map(parameter => parameter.name)).toEqual(['a'])
})

test('INOUT parameters are arguments and results; OUT parameters are results alone', async () => {
  const cache = await readAfter(`
    create function two(a int, inout b int default 3, out c text) language sql as 'select 1, ''x''';
    create function one(a int, out b int) language sql as 'select 1';
  `)
  expect(cache.functions(named('two'))).toMatchObject([
    {
      parameters: [
        { name: 'a', isRequired: true },
        { name: 'b', isRequired: false },
      ],
      returns: { isSet: false, isComposite: true, type: { name: 'record' } },
    },
  ])
  expect(cache.functions(named('one'))).toMatchObject([
    { parameters: [{ name: 'a' }], returns: { isSet: false, isComposite: true, type: { name: 'int4' } } },
  ])
})

test('what REST cannot call is left out', async () => {
  const cache = await readAfter(`
    create function on_change() returns trigger language plpgsql as 'begin return null; end';
    create procedure run() language sql as '';
    create aggregate total(int) (sfunc = int4pl, stype = int);
    create function unnamed_int(int) returns int language sql as 'select 1';
    create function unnamed_two(json, json) returns int language sql as 'select 1';
    create function hidden.secret() returns int language sql as 'select 1';
    create function unnamed_json(json) returns int language sql as 'select 1';
    create function unnamed_jsonb(jsonb) returns int language sql as 'select 1';
    create function unnamed_text(text) returns int language sql as 'select 1';
    create function unnamed_bytea(bytea) returns int language sql as 'select 1';
    create function half_named(a int, int) returns int language sql as 'select 1';
    create function nothing() returns int language sql as 'select 1';
  `)
  expect(
    cache.allFunctions('public').map(({ name, parameters }) => [name, parameters.map(one => one.name)]),
  ).toEqual([
    ['half_named', ['a', '']],
    ['nothing', []],
    ['unnamed_bytea', ['']],
    ['unnamed_json', ['']],
    ['unnamed_jsonb', ['']],
    ['unnamed_text', ['']],
  ])
  expect(cache.allFunctions('hidden')).toEqual([])
  expect(cache.functions({ schema: 'hidden', name: 'secret' })).toEqual([])
})

test('overloaded functions: fewer parameters first, then by comment and parameters', async () => {
  const cache = await readAfter(`
    create function f(a int, b int, c int) returns int language sql as 'select 1';
    create function f(b bigint) returns int language sql as 'select 1';
    create function f(a text) returns int language sql as 'select 1';
    create function f(a int) returns int language sql as 'select 1';
    create function f(a json) returns int language sql as 'select 1';
    comment on function f(a int) is 'Commented.';
    create function f() returns int language sql as 'select 1';
  `)
  const signatures = cache
    .functions(named('f'))
    .map(({ parameters }) => parameters.map(({ name, type }) => `${name} ${type}`).join())
  expect(signatures).toEqual([
    '',
    'a json',
    'a text',
    'b bigint',
    'a integer',
    'a integer,b integer,c integer',
  ])
})

test('volatility', async () => {
  const cache = await readAfter(
    ['volatile', 'stable', 'immutable']
      .map(
        volatility =>
          `create function ${volatility}_one() returns int language sql ${volatility} as 'select 1'`,
      )
      .join(';'),
  )
  expect(cache.allFunctions('public').map(({ name, volatility }) => [name, volatility])).toEqual([
    ['immutable_one', 'immutable'],
    ['stable_one', 'stable'],
    ['volatile_one', 'volatile'],
  ])
})

test('only some settings apply to the transaction, unless the database allows others', async () => {
  const script = `
    create function f() returns int language sql as 'select 1'
      set statement_timeout to '4s' set work_mem to '5MB' set search_path to public, hidden
      set default_transaction_isolation to 'REPEATABLE READ';
  `
  const routine = await functionAfter(script)
  expect(routine.settings).toEqual({
    statement_timeout: '4s',
    default_transaction_isolation: 'REPEATABLE READ',
  })
  expect(routine.isolation).toBe('repeatable read')
  const other = await functionAfter(
    `${script} alter role authenticator set pgrst.db_hoisted_tx_settings = 'work_mem, search_path'`,
  )
  expect(other.settings).toEqual({ work_mem: '5MB', search_path: 'public, hidden' })
  expect(other.isolation).toBe('repeatable read')
})

test('any name works, of functions, parameters and types', async () => {
  const cache = await readAfter(
    ODD_NAMES.map(name => {
      const own = quoted(name)
      return `create type ${own} as (${own} int);
        create function ${own}(${own} ${own}, ${ODD_NAMES.map(other => `${quoted(`${other}!`)} int default 1`).join(', ')})
          returns setof ${own} language sql as 'select 1'`
    }).join(';\n'),
  )
  expect(cache.allFunctions('public').map(({ name }) => name)).toEqual(ODD_NAMES.toSorted())
  for (const name of ODD_NAMES) {
    const [routine] = cache.functions(named(name))
    expect(routine?.returns).toEqual({ isSet: true, isComposite: true, type: named(name) })
    expect(routine?.parameters.map(parameter => parameter.name)).toEqual([
      name,
      ...ODD_NAMES.map(other => `${other}!`),
    ])
    const [type] = await query<{ type: string }>('select $1 as type', [routine?.parameters[0]?.type])
    expect(type?.type).toContain('public.')
  }
})
