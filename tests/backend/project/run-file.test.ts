// Where and why a file of SQL stops: scripts with one failing statement amid others, whose place the test knows, and whose
// message is the one of PostgreSQL when it runs the statements one by one.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, type Engine, openDatabase } from '../../../backend/database/index.ts'
import { bare } from '../../../backend/project/index.ts'
import { runFile } from '../../../backend/project/run-file.ts'
import { generateSecrets } from '../../../backend/shared/data-directory.ts'
import { createMemoryBlobs } from '../../../backend/storage/index.ts'
import { isOnServer } from '../../harness/engine.ts'

let database: Database
beforeAll(async () => {
  const kind = isOnServer ? 'postgres' : 'pglite'
  database = await openDatabase(
    { engine: { kind }, secrets: generateSecrets() },
    bare(undefined, createMemoryBlobs()),
  )
  await database.owner(tx => tx.script(`create type wind as enum ('breeze')`))
})
afterAll(() => database.close())

/** What comes before; some of it would confuse a parser that counts semicolons, lines or characters. */
const BEFORE = [
  `create table harbors (id int primary key, name varchar(9) not null, depth numeric check (depth > 0));`,
  `-- A comment; with a semicolon, and 'a quote\n\n/* and /* a nested ; */ one */ insert into harbors values (1, 'Kiel; ''a''', 9);`,
  `create type mood as enum ('calm', 'rough');;`,
  `create function twice(n int) returns int language plpgsql as $body$\nbegin\n  return n * 2; -- $$;\nend;\n$body$;`,
  `create table boats (id int primary key, harbor int references harbors, feeling mood, data jsonb, "odd;name" text);`,
  `insert into boats (id, data, "odd;name") values (1, '{"a": "⛵😀"}', E'it\\'s; ');\r`,
  `create view moored as select b.id, h.name from boats b join harbors h on h.id = b.harbor;`,
  `create function fail() returns trigger language plpgsql as 'begin\n  raise exception ''not today'';\nend';`,
  `select ';', $$;$$, "odd;name" from boats;`,
]
const AFTER = [`select 1;`, `create table never (id int);`, `-- the end`]

interface Failing {
  readonly sql: string
  /** Lines from the start of the statement to the reported one. */
  readonly below?: number
  /** Statements that run just before. */
  readonly first?: string
  /** For statements that end the file. */
  readonly isLast?: boolean
  /** If only a part of the statement is shown. */
  readonly statement?: string
  /** Follows PostgreSQL's message. */
  readonly advice?: string
}

const failing: Readonly<Record<string, Failing>> = {
  'an unknown column': { sql: 'select id,\n  nonsense\nfrom boats;', below: 1 },
  'an unknown table': { sql: 'select *\nfrom nowhere;', below: 1 },
  'an unknown function': { sql: 'select\n\n  thrice(2);', below: 2 },
  'an unknown type': { sql: 'create table a (\n  b nonsense\n);', below: 1 },
  'an unknown schema': { sql: 'create table nowhere.a (id int);' },
  'an unknown role': { sql: 'grant select\n on boats to missing_role;' },
  'an unknown trigger function': {
    sql: 'create trigger t before insert on boats for each row execute function none();',
  },
  'a table that exists': { sql: 'create table\n boats (id int);' },
  'a column that exists': { sql: 'alter table boats\n  add column data text;' },
  'a policy that exists': {
    first: 'create policy p on boats using (true);',
    sql: 'create policy p\non boats using (true);',
  },
  'a duplicate key': { sql: `insert into harbors\nvalues (1, 'x', 1);` },
  'a broken reference': { sql: 'insert into boats (id, harbor)\nvalues (2, 77);' },
  'a broken check': { sql: `insert into harbors\n\nvalues (3, 'x', -1);` },
  'a missing value': { sql: 'insert into harbors (id) values (4);' },
  'a long text': { sql: `insert into harbors values (5, 'far too long', 1);` },
  'a wrong number': { sql: `insert into harbors values\n  ('one', 'x', 1);`, below: 1 },
  'a wrong enum value': { sql: `update boats set\n feeling = 'angry';`, below: 1 },
  'a wrong document': { sql: `update boats set data = '{a}';` },
  'a division by zero': { sql: 'select 1 /\n0;' },
  'a number out of range': { sql: 'select 2147483647\n+ 1;' },
  'an error of a function': { sql: `select pg_catalog.jsonb_array_elements('{}'::jsonb);` },
  'a wrong pattern': { sql: `select 'a' ~\n '(';` },
  'too many values': { sql: 'insert into moored\n values (1, 2, 3);', below: 1 },
  'an ambiguous column': { sql: 'select id\nfrom boats b join harbors h on true;' },
  'a missing group': { sql: 'select id,\n count(*)\nfrom boats;' },
  'a table in use': { sql: 'drop table\nharbors;' },
  'a column in use': { sql: 'alter table harbors drop column name;' },
  'a key of other types': {
    sql: 'create table c (t text\n references boats (id));',
  },
  'a view with other columns': { sql: 'create or replace view moored as\nselect 1 as other;' },
  'a new enum value in its transaction': {
    first: `alter type wind add value 'storm';`,
    sql: `select\n 'storm'::wind;`,
    below: 1,
  },
  'a denied privilege': { first: 'set local role anon;', sql: 'delete\nfrom boats;' },
  'a policy that refuses': {
    first: 'alter table boats enable row level security; grant all on boats to anon; set local role anon;',
    sql: 'insert into boats (id)\nvalues (9);',
  },
  'a trigger that raises': {
    first: 'create trigger t before update on boats for each row execute function fail();',
    sql: 'update boats\nset harbor = 1;',
    advice: 'Context: PL/pgSQL function fail() line 2 at RAISE.',
  },
  'a block that raises': { sql: `do $$\nbegin\n\n  raise exception 'no; %', 1;\nend $$;`, below: 3 },
  'a block that asserts': {
    sql: `/* why */ do language plpgsql $do$ begin\nassert false, 'broken';\nend $do$;`,
    below: 1,
    statement: `do language plpgsql $do$ begin\nassert false, 'broken';\nend $do$;`,
  },
  'a block whose statement fails': {
    sql: `do 'begin\n  insert into harbors values (1);\nend';`,
    below: 1,
    advice:
      'Context: SQL statement "insert into harbors values (1)"; PL/pgSQL function inline_code_block line 2 at SQL statement.',
  },
  'a block that does not compile': { sql: `do $$\nbegin\n  if true\nend $$;`, below: 3 },
  'a function that does not compile': {
    sql: `create function f() returns int language plpgsql as $$\nbegin\n  retrun 1;\nend $$;`,
    below: 2,
  },
  'a function in SQL with an unknown column': {
    sql: `create function f() returns int language sql as $$\n  select nonsense\n$$;`,
    below: 1,
  },
  'a refresh without an index': {
    first: 'create materialized view m as select 1 as one;',
    sql: 'refresh materialized view\nconcurrently m;',
  },
  'a missing word': { sql: 'create table d (\n  id int,\n);', below: 2 },
  'a misspelled word': { sql: 'selct 1;' },
  'an end amid a statement': { sql: 'select 1 from', isLast: true },
  'an open quote': {
    sql: `select\n 'open;`,
    below: 1,
    isLast: true,
    advice: 'The quote that starts here is not closed before the end of the file.',
  },
  'an open dollar quote': {
    sql: 'do $a$ begin;\n end $b$;',
    isLast: true,
    advice: 'The quote that starts here is not closed before the end of the file.',
  },
  'an open comment': {
    sql: 'select 1\n/* open /* */;',
    below: 1,
    isLast: true,
    advice: 'The comment that starts here is not closed before the end of the file.',
  },
  'a command of psql': {
    sql: String.raw`\connect other`,
    isLast: true,
    advice: 'psql commands are not SQL. Remove the line.',
  },
}

const FILE = 'supabase/migrations/1_m.sql'
const run = (engine: Engine, sql: string) => runFile(engine, { name: FILE, sql }, async () => undefined)

const lineCount = (text: string) => text.split('\n').length - 1

/** PostgreSQL's error for the last of the statements. */
async function errorOf(engine: Engine, statements: readonly string[], last: string): Promise<Error> {
  try {
    await engine.driver.transaction(async tx => {
      for (const sql of statements) await tx.exec(sql)
      await tx.exec(last)
      throw new Error('It does not fail.')
    })
  } catch (error) {
    if (error instanceof Error) return error
  } finally {
    await engine.driver.exec(`${engine.returnToOwner}; reset all`)
  }
  throw new Error('It fails with something else.')
}

test.each(Object.entries(failing))(
  '%s is found, with the message of PostgreSQL',
  async (_, { sql, below = 0, first, isLast, statement = sql, advice }) => {
    const before = [...BEFORE, ...(first === undefined ? [] : [first])]
    const head = `${before.join('\n')}\n  `
    const script = isLast ? `${head}${sql}` : `${head}${sql}\n${AFTER.join('\n')}`
    await database.session(async engine => {
      const { message } = await errorOf(engine, before, sql)
      const failure = await run(engine, script).catch((error: unknown) => error)
      expect(failure).toMatchObject({
        name: 'ProjectError',
        file: FILE,
        line: 1 + lineCount(head) + below,
        statement,
      })
      const text = (failure as Error).message
      expect(text.startsWith(`${FILE}:${1 + lineCount(head) + below}: ${message}`)).toBe(true)
      expect(text).toContain(advice ?? '')
      // Everything is rolled back.
      const { rows } = await engine.driver.query(`select to_regclass('harbors') as it`)
      expect(rows).toEqual([{ it: null }])
    })
  },
)

test('the column is the one of the position, after characters of two units', async () => {
  const failure = await database.session(engine =>
    run(engine, `select 1;\nselect '😀', nonsense;`).catch((error: unknown) => error),
  )
  expect(failure).toMatchObject({ line: 2, column: 13 })
})

test('rows for COPY are refused before anything runs, since only psql sends them', async () => {
  const sql = `select 1;\n\nCOPY public.boats (id)\n FROM stdin;\n1\n\\.\n`
  const failure = await database.session(engine => run(engine, sql).catch((error: unknown) => error))
  expect(failure).toMatchObject({ line: 3, statement: 'COPY public.boats (id)' })
  expect(String(failure)).toContain('Write them as INSERT statements')
})

test('a constraint that is checked at the end has no statement', async () => {
  const sql = `create table late (id int primary key deferrable initially deferred);\ninsert into late values (1), (1);`
  const failure = await database.session(engine => run(engine, sql).catch((error: unknown) => error))
  expect(failure).toMatchObject({ file: FILE, line: undefined, statement: undefined })
  expect(String(failure)).toContain('duplicate key value violates unique constraint "late_pkey"')
  expect(String(failure)).toContain('checked at the end of the transaction')
})

test('a long statement is cut', async () => {
  const sql = `select ${'1, '.repeat(400)} nonsense;`
  const failure = await database.session(engine => run(engine, sql).catch((error: unknown) => error))
  expect((failure as { statement: string }).statement).toBe(`${sql.slice(0, 500)}…`)
})

test('statements that the backend replaces are shown as they are written', async () => {
  const sql = `select 1; create extension if not exists pg_net; create extension pg_graphql with schema "nowhere at all"; select nonsense;`
  const failure = await database.session(engine => run(engine, sql).catch((error: unknown) => error))
  expect((failure as { statement: string }).statement).toBe('select nonsense;')
})
