// A harbor whose tables have columns of many types and odd names, with all kinds of relationships.
import { Dice } from './random.ts'

export type Kind =
  | 'int'
  | 'bigint'
  | 'numeric'
  | 'text'
  | 'prose'
  | 'boolean'
  | 'date'
  | 'timestamptz'
  | 'uuid'
  | 'mood'
  | 'depth'
  | 'sky'
  | 'texts'
  | 'ints'
  | 'json'
  | 'jsonb'
  | 'range'
  | 'bytea'
  | 'tsvector'

export interface Column {
  readonly name: string
  readonly kind: Kind
  /** Of its definition: a default, a key. */
  readonly more?: string
  /** Whether its values are given by the rows below, or by the database. */
  readonly isGenerated?: true
  /** A function of the row. */
  readonly isComputed?: true
  /** No question is about a part of its value. */
  readonly isWhole?: boolean
}

export interface Table {
  readonly name: string
  /** Columns that identify a row. */
  readonly key: readonly string[]
  readonly columns: readonly Column[]
  /** Constraints. */
  readonly more?: string
  /** A view: its query. */
  readonly query?: string
}

/** PostgreSQL's names of the types; `base` is that of a domain. */
export const TYPES: Readonly<Record<Kind, { readonly type: string; readonly base: string }>> = {
  int: { type: 'integer', base: 'integer' },
  bigint: { type: 'bigint', base: 'bigint' },
  numeric: { type: 'numeric', base: 'numeric' },
  text: { type: 'text', base: 'text' },
  prose: { type: 'text', base: 'text' },
  boolean: { type: 'boolean', base: 'boolean' },
  date: { type: 'date', base: 'date' },
  timestamptz: { type: 'timestamptz', base: 'timestamptz' },
  uuid: { type: 'uuid', base: 'uuid' },
  mood: { type: '"Mood"', base: '"Mood"' },
  depth: { type: 'depth', base: 'integer' },
  sky: { type: 'sky', base: '"Mood"' },
  texts: { type: 'text[]', base: 'text[]' },
  ints: { type: 'integer[]', base: 'integer[]' },
  json: { type: 'json', base: 'json' },
  jsonb: { type: 'jsonb', base: 'jsonb' },
  range: { type: 'int4range', base: 'int4range' },
  bytea: { type: 'bytea', base: 'bytea' },
  tsvector: { type: 'tsvector', base: 'tsvector' },
}

type Element = string | number | null

/** An element of an array as PostgreSQL reads it. */
const element = (value: Element): string =>
  value === null ? 'NULL' : `"${String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

export const arrayLiteral = (values: readonly Element[]): string => `{${values.map(element).join(',')}}`

const TEXT_LISTS: readonly (readonly (string | null)[])[] = [
  [],
  ['a'],
  ['a', 'b'],
  ['a,b', 'c"d'],
  [null, 'NULL', ''],
  ['{x}', '(y)', 'back\\slash'],
  ['größe', '東京', 'a'],
]
const INT_LISTS: readonly (readonly (number | null)[])[] = [[], [1], [1, 2, 3], [3, null], [2147483647, -1]]

/** The lists that array literals of the pools are made of. */
export const LISTS: ReadonlyMap<string, readonly Element[]> = new Map<string, readonly Element[]>(
  [...TEXT_LISTS, ...INT_LISTS].map(list => [arrayLiteral(list), list]),
)

const DOCUMENTS = [
  '{"a":{"b":[1,2,{"c":"x"}]},"k":"v","list":[3,"4"]}',
  '{"a":{"b":"text"},"k":null,"0":"zero","list":[]}',
  '[10,"20",{"a":1}]',
  '"string"',
  '9007199254740993',
  '{"we ird":{"x.y":1.50},"quo\\"te":"(p),q","a":{"b":[true]},"k":"it\'s"}',
  '{"k":12345678901234567890.10,"list":[{"k":"deep"},[1,[2]]],"größe":"東京"}',
  '{}',
]

/** Values of each type as PostgreSQL reads them. */
export const POOLS: Readonly<Record<Kind, readonly string[]>> = {
  int: ['-2147483648', '-1', '0', '1', '2', '3', '7', '42', '2147483647'],
  bigint: ['9007199254740993', '9007199254740992', '-9223372036854775808', '9223372036854775807', '1', '0'],
  numeric: [
    '0',
    '0.10',
    '1.000',
    '12345678901234567890.123456789012345',
    '-0.000000000000000000001',
    '1e30',
    'NaN',
    '99.99',
    '7',
  ],
  text: [
    '',
    'plain',
    'Plainer',
    "it's",
    'a,b',
    '(x)',
    'dot.ted',
    'back\\slash',
    '"q"',
    'a"b\\c',
    'null',
    'NULL',
    ' lead',
    'trail ',
    '100%',
    'a_b',
    'axb',
    '{x}',
    '{a,b}',
    'größe',
    '東京',
    '🚢',
    'eq.1',
    'and(x.eq.1)',
    '&=+#?;/',
    'two\nlines',
    'not.is.null',
    'x:y',
    '$1',
    '%41',
  ],
  prose: [
    'The fat cats ate the rats',
    'Sailing boats are sailed',
    'Les marins aiment naviguer',
    'cats and boats',
    '',
  ],
  boolean: ['true', 'false'],
  date: ['2024-02-29', '1999-12-31', '0044-03-15 BC', 'infinity', '2024-03-01'],
  timestamptz: [
    '2024-02-29T23:59:59.123456+05:30',
    '2024-01-01 00:00:00Z',
    '-infinity',
    '1883-11-18T12:03:58Z',
  ],
  uuid: [
    '00000000-0000-4000-8000-000000000001',
    'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11',
    'ffffffff-ffff-4fff-bfff-ffffffffffff',
  ],
  mood: ['calm', 'rough sea', 'it\'s (odd), "q"', 'große', 'null'],
  depth: ['1', '5', '11000'],
  sky: ['calm', 'rough sea', 'it\'s (odd), "q"', 'große'],
  texts: TEXT_LISTS.map(arrayLiteral),
  ints: INT_LISTS.map(arrayLiteral),
  json: [...DOCUMENTS, '{"k":1, "k":"last", "a" : {"b":[ 1 ]}}'],
  jsonb: DOCUMENTS,
  range: ['empty', '[1,5)', '[3,9)', '(,4)', '[10,)', '[5,6)'],
  bytea: ['\\x', '\\xdeadbeef', '\\x00ff', '\\x5c22'],
  tsvector: [],
}

export const BOAT_IDS = [
  '9007199254740993',
  '9007199254740992',
  '-9223372036854775808',
  ...Array.from({ length: 13 }, (_, at) => String(at + 1)),
]
const upTo = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => String(at + 1))
export const PERSON_IDS = upTo(9)
const PORT_IDS = upTo(6)

const people: Table = {
  name: 'people',
  key: ['id'],
  columns: [
    { name: 'id', kind: 'int', more: 'primary key' },
    { name: 'First.Name', kind: 'text' },
    { name: 'age', kind: 'int' },
    { name: 'boss', kind: 'int', more: 'references people' },
    { name: 'mood', kind: 'mood' },
    { name: 'born', kind: 'date' },
    { name: 'constructor', kind: 'text' },
    { name: 'limit', kind: 'numeric' },
    { name: 'greeting', kind: 'text', isComputed: true },
  ],
}

const ports: Table = {
  name: 'Ports (all)',
  key: ['id'],
  columns: [
    { name: 'id', kind: 'int', more: 'primary key' },
    { name: 'name', kind: 'text' },
    { name: 'quo"te', kind: 'text' },
    { name: 'order', kind: 'int' },
    { name: 'open', kind: 'boolean' },
    { name: 'facts', kind: 'jsonb' },
  ],
}

const boats: Table = {
  name: 'boats',
  key: ['id'],
  columns: [
    { name: 'id', kind: 'bigint', more: 'primary key' },
    { name: 'name', kind: 'text' },
    { name: 'owner', kind: 'int', more: 'constraint "boats.owner" references people' },
    { name: 'home port', kind: 'int', more: 'constraint boats_home references "Ports (all)"' },
    { name: 'tonnage', kind: 'numeric' },
    { name: 'launched', kind: 'timestamptz' },
    { name: 'tags', kind: 'texts' },
    { name: 'nums', kind: 'ints' },
    { name: 'spec', kind: 'jsonb' },
    { name: 'raw', kind: 'json' },
    { name: 'span', kind: 'range' },
    { name: 'draft', kind: 'depth' },
    { name: 'sky', kind: 'sky' },
    { name: 'mood', kind: 'mood' },
    { name: 'sails', kind: 'boolean' },
    { name: 'token', kind: 'uuid' },
    { name: 'sign', kind: 'bytea' },
    { name: 'built', kind: 'date' },
    { name: 'order', kind: 'int' },
    { name: 'select', kind: 'text' },
    { name: 'and', kind: 'int' },
    { name: 'a.b', kind: 'text' },
    { name: 'we,ird (x)', kind: 'text' },
    { name: 'größe', kind: 'bigint' },
    { name: 'Capital Letters', kind: 'numeric' },
    { name: 'a:b', kind: 'int' },
    { name: 'story', kind: 'prose' },
    {
      name: 'words',
      kind: 'tsvector',
      more: `generated always as (to_tsvector('english', coalesce(story, ''))) stored`,
      isGenerated: true,
    },
    { name: 'label', kind: 'text', isComputed: true },
    { name: 'Twice.Order', kind: 'int', isComputed: true },
  ],
}

const FLEET_COLUMNS = new Set(['id', 'name', 'owner', 'home port', 'tonnage', 'tags', 'spec', 'a.b', 'sky'])

const fleet: Table = {
  name: 'fleet',
  key: ['id'],
  columns: boats.columns.filter(({ name }) => FLEET_COLUMNS.has(name)),
  query: `select id, name, owner, "home port", tonnage, tags, spec, "a.b", sky from boats where sails is not false`,
}

const licenses: Table = {
  name: 'licenses',
  key: ['person'],
  columns: [
    { name: 'person', kind: 'int', more: 'primary key references people' },
    { name: 'number', kind: 'uuid' },
    { name: 'until', kind: 'date' },
  ],
}

const crew: Table = {
  name: 'crew',
  key: ['boat', 'person'],
  columns: [
    { name: 'boat', kind: 'bigint', more: 'references boats' },
    { name: 'person', kind: 'int', more: 'references people' },
    { name: 'role', kind: 'text' },
  ],
  more: 'primary key (boat, person)',
}

const trips: Table = {
  name: 'trips to',
  key: ['boat', 'port', 'day'],
  columns: [
    { name: 'boat', kind: 'bigint', more: 'constraint trip_boat references boats' },
    { name: 'port', kind: 'int', more: 'constraint trip_port references "Ports (all)"' },
    { name: 'day', kind: 'date' },
    { name: 'cargo', kind: 'numeric' },
  ],
  more: 'primary key (boat, port, day)',
}

const berths: Table = {
  name: 'berths',
  key: ['port', 'no'],
  columns: [
    { name: 'port', kind: 'int', more: 'references "Ports (all)"' },
    { name: 'no', kind: 'int' },
    { name: 'depth', kind: 'depth' },
  ],
  more: 'primary key (port, no)',
}

const stays: Table = {
  name: 'stays.old',
  key: ['id'],
  columns: [
    { name: 'id', kind: 'int', more: 'primary key' },
    { name: 'port', kind: 'int' },
    { name: 'no', kind: 'int' },
    { name: 'boat', kind: 'bigint', more: 'references boats' },
    { name: 'note', kind: 'text' },
  ],
  more: 'constraint "stay berth" foreign key (port, no) references berths',
}

/** For writes: no defaults that two attempts would see differ. */
const logs: Table = {
  name: 'logs',
  key: ['id'],
  columns: [
    { name: 'id', kind: 'bigint', more: 'primary key' },
    { name: 'boat', kind: 'bigint', more: 'references boats' },
    { name: 'code', kind: 'text', more: 'unique' },
    { name: 'note', kind: 'text', more: `default 'it''s "calm"'` },
    { name: 'amount', kind: 'numeric', more: 'default 1.50' },
    { name: 'at', kind: 'timestamptz', more: `default '2024-05-05T05:05:05Z'` },
    { name: 'day', kind: 'date' },
    { name: 'yes', kind: 'boolean', more: 'default true' },
    { name: 'token', kind: 'uuid' },
    { name: 'mood', kind: 'mood', more: `default 'rough sea'` },
    { name: 'sky', kind: 'sky' },
    { name: 'draft', kind: 'depth', more: 'default 5' },
    { name: 'tags', kind: 'texts', more: `default '{"a,b",c}'` },
    { name: 'nums', kind: 'ints' },
    { name: 'j', kind: 'json' },
    { name: 'jb', kind: 'jsonb', more: `default '{"k":[1]}'` },
    { name: 'span', kind: 'range' },
    { name: 'sign', kind: 'bytea' },
    { name: 'order', kind: 'int', more: 'default 1 + 1' },
    { name: 'a.b', kind: 'text' },
    { name: 'constructor', kind: 'text' },
    { name: 'we,ird (x)', kind: 'int' },
    { name: 'quo"te', kind: 'text' },
  ],
}

const entries: Table = {
  name: 'entries',
  key: ['id'],
  columns: [
    { name: 'id', kind: 'int', more: 'primary key' },
    { name: 'log', kind: 'bigint', more: 'references logs on delete cascade on update cascade' },
    { name: 'text', kind: 'text' },
  ],
}

/** In an order in which references come after what they refer to. */
export const TABLES: readonly Table[] = [
  people,
  ports,
  boats,
  fleet,
  licenses,
  crew,
  trips,
  berths,
  stays,
  logs,
  entries,
]

const byName = new Map(TABLES.map(table => [table.name, table]))

export function tableOf(name: string): Table {
  const found = byName.get(name)
  if (!found) throw new Error(`No table ${name}.`)
  return found
}

const WRITTEN = ['logs', 'entries'] as const

export interface Relation {
  readonly from: string
  readonly to: string
  readonly isToOne: boolean
  /** Ways to name it in a request: a table, column, constraint or function, and a hint. */
  readonly ways: readonly (readonly [name: string, hint?: string])[]
  /** Pairs of columns of `from`, or of `through`, and of `to`, or of `through`. */
  readonly on: readonly (readonly [from: string, to: string])[]
  readonly through?: {
    readonly table: string
    readonly on: readonly (readonly [through: string, to: string])[]
  }
  readonly function?: string
}

/** A reference, and its inverse. */
function both(
  [from, column, wayThere]: readonly [from: string, column: string, ways: Relation['ways']],
  [to, key, wayBack]: readonly [to: string, key: string, ways: Relation['ways']],
): readonly Relation[] {
  return [
    { from, to, isToOne: true, ways: wayThere, on: [[column, key]] },
    { from: to, to: from, isToOne: false, ways: wayBack, on: [[key, column]] },
  ]
}

interface Through {
  readonly one: string
  readonly other: string
  readonly table: string
  readonly columns: readonly [one: string, other: string]
}

const through = ({ one, other, table, columns: [own, theirs] }: Through): readonly Relation[] => [
  {
    from: one,
    to: other,
    isToOne: false,
    ways: [[other, table]],
    on: [['id', own]],
    through: { table, on: [[theirs, 'id']] },
  },
  {
    from: other,
    to: one,
    isToOne: false,
    ways: [[one, table]],
    on: [['id', theirs]],
    through: { table, on: [[own, 'id']] },
  },
]

export const RELATIONS: readonly Relation[] = [
  ...both(
    ['boats', 'owner', [['people', 'owner'], ['people', 'boats.owner'], ['owner'], ['boats.owner']]],
    [
      'people',
      'id',
      [
        ['boats', 'owner'],
        ['boats', 'boats.owner'],
      ],
    ],
  ),
  ...both(
    [
      'boats',
      'home port',
      [['Ports (all)', 'home port'], ['home port'], ['Ports (all)', 'boats_home'], ['boats_home']],
    ],
    [
      'Ports (all)',
      'id',
      [
        ['boats', 'home port'],
        ['boats', 'boats_home'],
      ],
    ],
  ),
  ...both(
    ['fleet', 'owner', [['people', 'owner'], ['people', 'boats.owner'], ['owner']]],
    ['people', 'id', [['fleet', 'owner']]],
  ),
  ...both(['people', 'boss', [['boss']]], ['people', 'id', [['people', 'boss']]]),
  ...both(['crew', 'boat', [['boats'], ['boat']]], ['boats', 'id', [['crew']]]),
  ...both(['crew', 'person', [['people'], ['person']]], ['people', 'id', [['crew']]]),
  ...both(['crew', 'boat', [['fleet']]], ['fleet', 'id', [['crew']]]),
  ...both(['trips to', 'boat', [['boats'], ['boat'], ['trip_boat']]], ['boats', 'id', [['trips to']]]),
  ...both(['trips to', 'port', [['Ports (all)'], ['port']]], ['Ports (all)', 'id', [['trips to']]]),
  ...both(['berths', 'port', [['Ports (all)'], ['port']]], ['Ports (all)', 'id', [['berths']]]),
  ...both(['stays.old', 'boat', [['boats'], ['boat']]], ['boats', 'id', [['stays.old']]]),
  ...both(['logs', 'boat', [['boats'], ['boat']]], ['boats', 'id', [['logs']]]),
  ...both(['entries', 'log', [['logs'], ['log']]], ['logs', 'id', [['entries']]]),
  {
    from: 'stays.old',
    to: 'berths',
    isToOne: true,
    ways: [['berths'], ['berths', 'stay berth'], ['stay berth']],
    on: [
      ['port', 'port'],
      ['no', 'no'],
    ],
  },
  {
    from: 'berths',
    to: 'stays.old',
    isToOne: false,
    ways: [['stays.old'], ['stays.old', 'stay berth']],
    on: [
      ['port', 'port'],
      ['no', 'no'],
    ],
  },
  { from: 'people', to: 'licenses', isToOne: true, ways: [['licenses']], on: [['id', 'person']] },
  { from: 'licenses', to: 'people', isToOne: true, ways: [['people'], ['person']], on: [['person', 'id']] },
  ...through({ one: 'boats', other: 'people', table: 'crew', columns: ['boat', 'person'] }),
  ...through({ one: 'fleet', other: 'people', table: 'crew', columns: ['boat', 'person'] }),
  ...through({ one: 'boats', other: 'Ports (all)', table: 'trips to', columns: ['boat', 'port'] }),
  { from: 'people', to: 'boats', isToOne: true, ways: [['flagship']], on: [], function: 'flagship' },
  { from: 'boats', to: 'people', isToOne: false, ways: [['Rivals.of']], on: [], function: 'Rivals.of' },
]

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`
const name = (of: string): string => `"${of.replaceAll('"', '""')}"`

/** Columns that the database stores. */
export const stored = ({ columns }: Table): readonly Column[] =>
  columns.filter(({ isComputed, isGenerated }) => !isComputed && !isGenerated)

function definition({ name: table, columns, more, query }: Table): string {
  if (query !== undefined) return `create view ${name(table)} as ${query};`
  const all = columns
    .filter(({ isComputed }) => !isComputed)
    .map(column => `${name(column.name)} ${TYPES[column.kind].type} ${column.more ?? ''}`)
  return `create table ${name(table)} (${[...all, ...(more === undefined ? [] : [more])].join(', ')});`
}

/** Values that keys and references take. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  'people.boss': PERSON_IDS,
  'boats.owner': PERSON_IDS,
  'boats.home port': PORT_IDS,
  'logs.boat': BOAT_IDS,
  'entries.log': upTo(8),
}

function rowsOf(dice: Dice, table: Table, keys: readonly (readonly string[])[]): string {
  const columns = stored(table)
  const rows = keys.map((key, row) =>
    columns.map(column => {
      const at = table.key.indexOf(column.name)
      if (at >= 0) return text(key[at] ?? '')
      if (column.name === 'code') return text(`c${row}`)
      const fixed = FIXED[`${table.name}.${column.name}`]
      return dice.chance(0.15) ? 'null' : text(dice.pick(fixed ?? POOLS[column.kind]))
    }),
  )
  const list = columns.map(column => name(column.name)).join(', ')
  return `insert into ${name(table.name)} (${list}) values ${rows.map(row => `(${row.join(', ')})`).join(', ')};`
}

function pairs(
  dice: Dice,
  ones: readonly string[],
  others: readonly string[],
  count: number,
): readonly (readonly string[])[] {
  const all = ones.flatMap(one => others.map(other => [one, other]))
  return dice.some(all, count)
}

function data(): string {
  const dice = new Dice(20)
  const single = (values: readonly string[]) => values.map(value => [value])
  const berthKeys = pairs(dice, PORT_IDS, upTo(3), 9)
  const stayRows = upTo(14).map(id => {
    const [port, no] = dice.pick(berthKeys)
    const berth = dice.chance(0.8) ? `${port}, ${no}` : 'null, null'
    return `(${id}, ${berth}, ${dice.chance(0.8) ? dice.pick(BOAT_IDS) : 'null'}, ${text(dice.pick(POOLS.text))})`
  })
  const days = pairs(dice, BOAT_IDS, PORT_IDS, 20).flatMap(pair =>
    dice.some(POOLS.date, dice.int(1, 2)).map(day => [...pair, day]),
  )
  return [
    rowsOf(dice, people, single(PERSON_IDS)),
    rowsOf(dice, ports, single(PORT_IDS)),
    rowsOf(dice, boats, single(BOAT_IDS)),
    rowsOf(dice, licenses, single(dice.some(PERSON_IDS, 5))),
    rowsOf(dice, crew, pairs(dice, BOAT_IDS, PERSON_IDS, 25)),
    rowsOf(dice, trips, days),
    rowsOf(dice, berths, berthKeys),
    `insert into "stays.old" values ${stayRows.join(', ')};`,
    rowsOf(dice, logs, single(upTo(8))),
    rowsOf(dice, entries, single(upTo(14))),
  ].join('\n')
}

/** Parameters of the functions below whose results are their arguments. */
export const ECHOED: readonly Column[] = [
  { name: 'i', kind: 'int' },
  { name: 'b', kind: 'bigint' },
  { name: 'n', kind: 'numeric' },
  { name: 'T ext', kind: 'text' },
  { name: 'yes', kind: 'boolean' },
  { name: 'd', kind: 'date' },
  { name: 'z', kind: 'timestamptz' },
  { name: 'u', kind: 'uuid' },
  { name: 'm', kind: 'mood' },
  { name: 'dom', kind: 'depth' },
  { name: 's', kind: 'sky' },
  { name: 'texts', kind: 'texts' },
  { name: 'ints', kind: 'ints' },
  { name: 'j', kind: 'json' },
  { name: 'jb', kind: 'jsonb' },
  { name: 'r', kind: 'range' },
  { name: 'by', kind: 'bytea' },
]

/** A function for each of these types returns its argument; one more returns a row of all. */
const echoes = [
  ...ECHOED.map(
    ({ name: parameter, kind }) =>
      `create function ${name(`echo ${kind}`)}(${name(parameter)} ${TYPES[kind].type}) returns ${TYPES[kind].type} language sql immutable as 'select $1';`,
  ),
  `create function "echo.all"(${ECHOED.map(({ name: parameter, kind }) => `${name(parameter)} ${TYPES[kind].type} default null`).join(', ')})
   returns table (${ECHOED.map(({ name: parameter, kind }) => `${name(`${parameter}.out`)} ${TYPES[kind].type}`).join(', ')})
   language sql stable as 'select ${ECHOED.map((_, at) => `$${at + 1}`).join(', ')}';`,
].join('\n')

/** Everything, and a copy of the rows that are written. */
export const SCHEMA = `
create type "Mood" as enum (${POOLS.mood.map(text).join(', ')});
create domain depth as integer check (value > -100);
create domain sky as "Mood";
${TABLES.map(definition).join('\n')}
create function greeting(people) returns text language sql stable as $$ select 'Ahoy, ' || coalesce($1."First.Name", '?') $$;
create function label(boats) returns text language sql stable as $$ select $1.name || '/' || $1.id $$;
create function "Twice.Order"(boats) returns int language sql stable as $$ select nullif($1."order", 2147483647) / 2 * 2 $$;
create function flagship(people) returns setof boats rows 1 language sql stable as
  $$ select * from boats where owner = $1.id order by id limit 1 $$;
create function "Rivals.of"(boats) returns setof people language sql stable as
  $$ select * from people where id <> $1.owner and age > 0 $$;
create function heavy_boats("at least" numeric, "with.tags" text[] default null) returns setof boats language sql stable as
  $$ select * from boats where tonnage >= "at least" and ("with.tags" is null or tags && "with.tags") $$;
create function one_person(which int) returns people language sql stable as $$ select * from people where id = which $$;
${echoes}
${data()}
create schema oracle;
${WRITTEN.map(table => `create table oracle.${table} as table public.${table};`).join('\n')}
create function oracle.state() returns jsonb language sql as $$
  select jsonb_build_array(${WRITTEN.map(table => `(select jsonb_agg(to_jsonb(t) order by id) from public.${table} t)`).join(', ')}) $$;
create function oracle.restore() returns void language sql as $$
  delete from public.entries; delete from public.logs;
  insert into public.logs select * from oracle.logs; insert into public.entries select * from oracle.entries $$;
alter role authenticator set pgrst.db_aggregates_enabled = 'true';
notify pgrst, 'reload config';
notify pgrst, 'reload schema';
`
