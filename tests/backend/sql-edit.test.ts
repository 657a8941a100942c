// Editing rows of results on both engines: what is stored afterwards, read by the driver `pg` on the same database.
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { officialClient } from '../harness/backend.ts'
import { generateTable, ident, SHARED_TYPES } from '../harness/generated-tables.ts'
import { createDice } from '../harness/odd-values.ts'
import { startSqlBackend } from '../harness/sql-backend.ts'
import { testSeeds } from '../harness/volume.ts'

interface Editing {
  readonly key?: readonly number[]
  readonly required?: boolean
  readonly options?: readonly string[]
  readonly readOnly?: string
}
interface EditColumn {
  readonly name: string
  readonly origin?: { readonly schema: string; readonly table: string; readonly column: string }
  readonly editing?: Editing
}
interface Answer {
  readonly end: string
  readonly values?: readonly (string | null)[]
  readonly error?: { readonly code: string; readonly message: string; readonly detail?: string }
}

describe.each(['pglite', 'postgres'] as const)('on %s', async engine => {
  const backend = await startSqlBackend(engine)
  const driver = new pg.Client({
    connectionString: backend.databaseUrl,
    types: { getTypeParser: () => (text: string) => text },
  })
  driver.on('error', () => undefined)
  await driver.connect()
  afterAll(() => driver.end())
  const stored = async (sql: string) =>
    (await driver.query({ text: sql, rowMode: 'array' })).rows as (string | null)[][]

  const select = async (sql: string, options: object = {}) => {
    const { statements } = await backend.run(sql, options)
    const { rows = [], columns = [], error } = statements.at(-1) ?? {}
    if (error) throw new Error(error.message)
    return { rows, columns: columns as readonly EditColumn[] }
  }
  const editingOf = async (sql: string) => (await select(sql)).columns.map(({ editing }) => editing)
  const reasons = async (sql: string) => (await editingOf(sql)).map(editing => editing?.readOnly)
  const post = (body: object) =>
    fetch(`${backend.url}/_chartroom/sql/edit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ as: 'owner', schema: 'public', ...body }),
    })

  /** Edits a cell of the first row of a SELECT, as the page does. */
  async function edit(sql: string, name: string, after: string | null, options: { as?: unknown } = {}) {
    const { rows, columns } = await select(sql, options)
    const at = columns.findIndex(column => column.name === name)
    const { origin, editing } = columns[at] ?? {}
    if (!origin || !editing?.key) throw new Error(`${name} is read-only: ${editing?.readOnly ?? ''}`)
    const key = editing.key.map(place => ({
      column: columns[place]?.origin?.column,
      value: rows[0]?.[place],
    }))
    const response = await post({
      as: options.as ?? 'owner',
      schema: origin.schema,
      table: origin.table,
      key,
      cells: [{ column: origin.column, before: rows[0]?.[at] ?? null, after }],
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    return (await response.json()) as Answer
  }

  await driver.query(`
    create type public.feeling as enum ('calm', 'Storm''s "eye"');
    create domain public.short_text as varchar(5) check (value <> 'bad');
    create table public.everything (
      id bigint primary key, big numeric(60, 20), note text, data json, doc jsonb, raw bytea, list text[],
      m public.feeling, d public.short_text, at timestamptz, ok boolean, fixed char(4), p point, code varchar(3),
      must text not null default 'x', twice bigint generated always as (id * 2) stored, x xml, span interval,
      serial bigint generated always as identity
    );
    insert into public.everything (id, data, p, fixed) values (9007199254740993, '{"b":1,"a":1.0}', '(1,2)', 'ab');
    create table public.pairs (a int, "B b" text, value text, primary key (a, "B b"));
    insert into public.pairs values (1, 'x''\\"', 'one'), (1, 'y', 'two'), (2, 'y', null);
    create schema "Odd ""schema";
    create table "Odd ""schema"."Select ""from" ("Key k" text primary key, "va""lue" text);
    insert into "Odd ""schema"."Select ""from" values ('q"''\\', 'old');
    create table public.parts (id int, day date, note text, primary key (id, day)) partition by range (day);
    create table public.parts_a partition of public.parts for values from ('2026-01-01') to ('2026-07-01');
    create table public.parts_b partition of public.parts for values from ('2026-07-01') to ('2027-01-01');
    insert into public.parts values (1, '2026-02-03', 'first');
    create table public.parent (id int primary key, note text);
    create table public.child (more text, primary key (id)) inherits (public.parent);
    insert into public.child values (1, 'inherited', 'more');
    create table public.loose (id int, note text);
    insert into public.loose values (1, 'a');
    create view public.seen as select id, note from public.everything;
    create table public.upper_notes (id int primary key, note text);
    insert into public.upper_notes values (1, 'A');
    create function public.to_upper() returns trigger language plpgsql as
      $$ begin new.note = upper(new.note); return new; end $$;
    create trigger to_upper before update on public.upper_notes for each row execute function public.to_upper();
    create table public.guarded (id int primary key, owner uuid, note text not null);
    alter table public.guarded enable row level security;
    create policy seen on public.guarded for select using (true);
    create policy changed on public.guarded for update using (owner = auth.uid());
    grant select, update on public.guarded to anon, authenticated;
  `)

  test('values of each type are stored as SQL stores them', async () => {
    const cases: readonly (readonly [column: string, after: string | null])[] = [
      ['big', '1234567890123456789012345678901234567890.5'],
      ['note', 'it\'s \\ "quoted" \\n $1 ü😀\n-- line'],
      ['note', ''],
      ['note', null],
      ['data', '{"z" : 1.0,  "a": [null]}'],
      ['data', 'null'],
      ['doc', '{"z":12345678901234567890.10}'],
      ['raw', '\\x00ff5c27'],
      ['list', '{"a,b",NULL,"","\\"q\\\\"}'],
      ['m', 'Storm\'s "eye"'],
      ['d', 'abcde'],
      ['at', '2026-02-03 04:05:06.123456+07'],
      ['ok', 'f'],
      ['fixed', 'xyz'],
      ['p', '(3,4.5)'],
      ['code', 'abc'],
      ['x', '<a b="1"/>'],
      ['span', '1 mon 2 days'],
      ['id', '-4611686018427387904'],
    ]
    for (const [column, after] of cases) {
      const answer = await edit('select * from public.everything', column, after)
      const [expected] = await stored(`select ${column} from public.everything`)
      expect({ column, ...answer }).toEqual({ column, end: 'saved', values: expected })
      // PostgreSQL reads the text as the type of the column.
      const type = (
        await stored(
          `select format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'public.everything'::regclass and attname = '${column}'`,
        )
      )[0]?.[0]
      const { rows } = await driver.query({ text: `select $1::${type}`, values: [after], rowMode: 'array' })
      expect(expected).toEqual(rows[0])
    }
  })

  test('what PostgreSQL refuses is refused with its words', async () => {
    const refusals: readonly (readonly [column: string, after: string | null])[] = [
      ['big', 'x'],
      ['data', '{'],
      ['m', 'none'],
      ['d', 'abcdef'],
      ['d', 'bad'],
      ['code', 'abcd'],
      ['must', null],
      ['list', '{'],
      ['raw', '\\xz'],
    ]
    const before = await stored('select * from public.everything')
    for (const [column, after] of refusals) {
      const { end, error } = await edit('select * from public.everything', column, after)
      const expected = await driver
        .query(`update public.everything set ${column} = $1`, [after])
        .catch((thrown: unknown) => thrown as pg.DatabaseError)
      const { code, message } = expected as pg.DatabaseError
      expect({ column, end, code: error?.code, message: error?.message }).toEqual({
        column,
        end: 'refused',
        code,
        message,
      })
    }
    expect(await stored('select * from public.everything')).toEqual(before)
  })

  test('a value that another session changed is a conflict, and a deleted row is gone', async () => {
    const body = (after: string) => ({
      table: 'pairs',
      key: [
        { column: 'a', value: '1' },
        { column: 'B b', value: 'y' },
      ],
      cells: [{ column: 'value', before: 'two', after }],
    })
    await driver.query(`update public.pairs set value = 'theirs' where "B b" = 'y' and a = 1`)
    expect(await (await post(body('mine'))).json()).toEqual({ end: 'conflict', values: ['theirs'] })
    await driver.query(`update public.pairs set value = 'mine' where "B b" = 'y' and a = 1`)
    // The response was lost: the same edit again.
    expect(await (await post(body('mine'))).json()).toEqual({ end: 'saved', values: ['mine'] })
    expect(await stored(`select value from public.pairs order by a, "B b"`)).toEqual([
      ['one'],
      ['mine'],
      [null],
    ])
    await driver.query(`delete from public.pairs where a = 1 and "B b" = 'y'`)
    expect(await (await post(body('more'))).json()).toEqual({ end: 'gone' })
  })

  test('two edits of one value at once: one is saved, the other is a conflict', async () => {
    await driver.query(`insert into public.pairs values (7, 'race', 'start')`)
    const answers = await Promise.all(
      ['left', 'right'].map(async after => {
        const response = await post({
          table: 'pairs',
          key: [
            { column: 'a', value: '7' },
            { column: 'B b', value: 'race' },
          ],
          cells: [{ column: 'value', before: 'start', after }],
        })
        return (await response.json()) as Answer
      }),
    )
    expect(answers.map(({ end }) => end).toSorted()).toEqual(['conflict', 'saved'])
    const [[value] = []] = await stored('select value from public.pairs where a = 7')
    expect(answers.map(({ values }) => values)).toEqual([[value], [value]])
  })

  test('composite keys, quoted names, partitions and inherited tables', async () => {
    expect((await edit('select * from public.pairs where a = 1', 'value', 'uno')).end).toBe('saved')
    expect((await edit('select * from public.pairs where a = 2', 'B b', "z'")).end).toBe('saved')
    expect(await stored('select * from public.pairs where a < 3 order by a')).toEqual([
      ['1', `x'\\"`, 'uno'],
      ['2', "z'", null],
    ])
    const odd = '"Odd ""schema"."Select ""from"'
    expect((await edit(`select * from ${odd}`, 'va"lue', 'new')).end).toBe('saved')
    expect(await stored(`select * from ${odd}`)).toEqual([[`q"'\\`, 'new']])
    // The row moves to another partition.
    expect((await edit('select * from public.parts', 'day', '2026-08-01')).end).toBe('saved')
    expect(await stored('select id, note from public.parts_b')).toEqual([['1', 'first']])
    expect((await edit('select * from public.child', 'note', 'changed')).end).toBe('saved')
    expect(await stored('select note from public.parent')).toEqual([['changed']])
  })

  test('a trigger may change what is stored', async () => {
    expect(await edit('select * from public.upper_notes', 'note', 'loud')).toEqual({
      end: 'saved',
      values: ['LOUD'],
    })
    expect(await stored('select note from public.upper_notes')).toEqual([['LOUD']])
  })

  test('policies and privileges of the role that ran the script apply', async () => {
    const [account] = backend.accounts
    const { data } = await officialClient(backend).auth.signInWithPassword(
      account ?? { email: '', password: '' },
    )
    const user = data.user?.id ?? ''
    await driver.query(
      `insert into public.guarded values (1, '${user}', 'mine'), (2, gen_random_uuid(), 'theirs')`,
    )
    const at = (id: number) => `select * from public.guarded where id = ${id}`
    expect(await edit(at(1), 'note', 'changed', { as: { user } })).toEqual({
      end: 'saved',
      values: ['changed'],
    })
    const refused = await edit(at(2), 'note', 'changed', { as: { user } })
    expect(refused).toMatchObject({ end: 'refused', error: { code: '42501' } })
    expect(refused.error?.message).toContain('visible to this role, but not changeable')
    expect((await edit(at(1), 'note', 'changed by anon', { as: 'anon' })).end).toBe('refused')
    expect((await edit(at(2), 'note', 'by service', { as: 'service_role' })).end).toBe('saved')
    expect(await stored('select note from public.guarded order by id')).toEqual([['changed'], ['by service']])
    expect(
      (await post({ as: { user: crypto.randomUUID() }, table: 'guarded', ...simple('note') })).status,
    ).toBe(422)
  })

  const simple = (column: string) => ({
    key: [{ column: 'id', value: '1' }],
    cells: [{ column, before: null, after: 'x' }],
  })

  test('a table that was altered since is refused in the words of PostgreSQL', async () => {
    await driver.query('create table public.altered (id int primary key, note text)')
    await driver.query('alter table public.altered rename note to remark')
    const column = await (await post({ table: 'altered', ...simple('note') })).json()
    expect(column).toMatchObject({ end: 'refused', error: { code: '42703' } })
    await driver.query('drop table public.altered')
    const table = await (await post({ table: 'altered', ...simple('note') })).json()
    expect(table).toMatchObject({ end: 'refused', error: { code: '42P01' } })
    // A key that is no longer one may name several rows.
    await driver.query(
      'create table public.altered (id int, note text); insert into public.altered values (1), (1)',
    )
    expect(await (await post({ table: 'altered', ...simple('note') })).json()).toMatchObject({
      end: 'refused',
      error: { code: '21000' },
    })
    expect(await stored('select count(note) from public.altered')).toEqual([['0']])
  })

  test('a composite value of nulls is not null, although `is null` holds', async () => {
    await driver.query(`create type public.span as (a int, b text);
      create table public.spans (id int primary key, v public.span); insert into public.spans values (1, row(null, null));`)
    const edits = ['(1,x)', '(,)', null, '(,)', '(2,)']
    for (const after of edits)
      expect(await edit('select id, v from spans', 'v', after)).toEqual({ end: 'saved', values: [after] })
    expect(await stored('select v from public.spans')).toEqual([['(2,)']])
  })

  test('a result is editable where its key and columns are of one reference to a table', async () => {
    expect(await reasons('select note, id from everything')).toEqual([undefined, undefined])
    const [first, , sum, twice] = await editingOf('select id, m, big + 1 as sum, twice from everything')
    expect(first).toEqual({ key: [0], required: true })
    expect([sum, twice]).toEqual([{ readOnly: 'an expression' }, { readOnly: 'a generated column' }])
    expect((await editingOf('select id, m from everything'))[1]).toMatchObject({
      required: false,
      options: ['calm', 'Storm\'s "eye"'],
    })
    expect((await reasons('select id, serial from everything'))[1]).toContain('identity')
    expect((await reasons('select note from everything'))[0]).toContain('no primary key of everything')
    expect((await reasons('select a, value from pairs'))[1]).toContain('no primary key of pairs')
    expect((await reasons('select * from loose'))[1]).toContain('loose has no primary key')
    expect((await reasons('select * from seen'))[1]).toContain('view')
    expect((await reasons('select * from parent'))[1]).toContain('inherit')
    expect((await reasons('select oid, relname from pg_class limit 1'))[1]).toContain('PostgreSQL itself')
    expect((await reasons('select id, note, note as again from everything'))[1]).toContain('twice')
    // Columns of two references look alike to drivers, but belong to two rows.
    for (const sql of [
      'select x.id, y.note from everything x, everything y',
      'select x.id, y.note from everything x join public."everything" y on true',
      'select x.id, y.note from (select * from everything) x, (table everything) y',
      'with e as (select * from everything) select x.id, y.note from e x, e y',
      'select x.id, y.note from (with e as (select * from everything) select * from e) x, everything y',
      'select id, note from everything union all select id, note from everything',
    ])
      expect((await reasons(sql)).every(reason => reason !== undefined)).toBe(true)
    for (const sql of [
      'update everything set note = note returning id, note',
      "set datestyle = 'German'; select id, at from everything",
      'set role anon; select 1; reset role; select id, note from everything',
      "select set_config('timezone', 'Asia/Tokyo', false); select id, at from everything",
    ])
      expect((await reasons(sql)).every(reason => reason !== undefined)).toBe(true)
    // A join repeats rows of a table; each of its tables can be edited.
    const join = await reasons('select p.*, u.id, u.note from pairs p cross join upper_notes u')
    expect(join).toEqual([undefined, undefined, undefined, undefined, undefined])
  })

  test('a request that is none is refused', async () => {
    const status = async (body: object) => (await post(body)).status
    expect(await status({ table: 'pairs', key: [], cells: [] })).toBe(400)
    expect(await status({ table: 'pairs', ...simple('value'), as: 'postgres' })).toBe(400)
    expect(await status({ table: '', ...simple('value') })).toBe(400)
    expect(
      await status({
        table: 'pairs',
        key: [{ column: 'a', value: '1' }],
        cells: [{ column: 'value', before: null, after: 'a\0b' }],
      }),
    ).toBe(400)
    const foreign = await fetch(`${backend.url}/_chartroom/sql/edit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
      body: '{}',
    })
    expect(foreign.status).toBe(403)
    const text = await fetch(`${backend.url}/_chartroom/sql/edit`, { method: 'POST', body: '{}' })
    expect(text.status).toBe(415)
  })

  await driver.query(SHARED_TYPES)

  const ends = new Map<string, number>()

  testSeeds('random edits of random tables store what SQL stores', { some: 20, all: 400 }, async seed => {
    const table = generateTable(seed, new Set())
    const dice = createDice(seed)
    await driver.query(table.sql)
    const sql = `select * from public.${ident(table.name)}`
    const texts = `select t::text from public.${ident(table.base)} t order by 1`
    for (let count = 0; count < 6; count += 1) {
      const { rows, columns } = await select(sql)
      const at = dice.below(columns.length)
      const { name, origin, editing } = columns[at] ?? {}
      const row = rows[dice.below(rows.length)]
      if (!row || !editing?.key || !origin) {
        const mayBeEdited = table.keys.length > 0 && ['table', 'partitions'].includes(table.kind)
        const generated = table.columns.find(column => column.name === name)?.made
        if (row && mayBeEdited)
          expect({ seed, name, generated: generated !== undefined, ...editing }).toMatchObject({
            generated: true,
          })
        continue
      }
      const values = table.columns.find(column => column.name === origin.column)?.values ?? []
      const after = dice.below(5) === 0 ? null : dice.pick(values)
      const key = editing.key.map(place => ({
        column: columns[place]?.origin?.column ?? '',
        value: row[place] ?? '',
      }))
      // The same by the driver, rolled back.
      const where = key.map(({ column }, n) => `${ident(column)} = $${n + 2}`).join(' and ')
      await driver.query('begin')
      const expected = await driver
        .query(`update public.${ident(origin.table)} set ${ident(origin.column)} = $1 where ${where}`, [
          after,
          ...key.map(({ value }) => value),
        ])
        .then(
          async () => ({ end: 'saved', code: undefined, rows: await stored(texts) }),
          (error: pg.DatabaseError) => ({ end: 'refused', code: error.code, rows: undefined }),
        )
      await driver.query('rollback')
      const before = await stored(texts)
      const response = await post({
        schema: origin.schema,
        table: origin.table,
        key,
        cells: [{ column: origin.column, before: row[at] ?? null, after }],
      })
      const { end, error } = (await response.json()) as Answer
      ends.set(end, (ends.get(end) ?? 0) + 1)
      expect({ seed, name, after, end, code: error?.code, rows: await stored(texts) }).toEqual({
        seed,
        name,
        after,
        ...expected,
        rows: expected.rows ?? before,
      })
    }
  })

  test('random edits were saved, and refused', () => {
    expect(ends.get('saved')).toBeGreaterThan(20)
    expect(ends.get('refused')).toBeGreaterThan(2)
  })
})
