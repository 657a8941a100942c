// Tables of every kind that a project may have, generated from a seed: types, names, keys, privileges, policies,
// identities, generated columns, defaults, views, partitions and inheritance.
import { createDice, type Dice } from './odd-values.ts'

export interface GeneratedColumn {
  readonly name: string
  /** As in `create table`. */
  readonly type: string
  /** Texts of values, as PostgreSQL reads them. */
  readonly values: readonly string[]
  readonly isNullable: boolean
  /** Whether its JSON is a list or an object. */
  readonly isObject: boolean
  /** What follows the type. */
  readonly rest: string
  /** Set when values are not to be given. */
  readonly made?: 'always' | 'expression'
}

export interface GeneratedTable {
  readonly seed: number
  /** What the workbench opens: a table or a view. */
  readonly name: string
  /** Where the rows are. */
  readonly base: string
  readonly kind: Kind
  readonly key: KeyKind
  readonly columns: readonly GeneratedColumn[]
  readonly keys: readonly string[]
  readonly sql: string
  /** The rows, by column. */
  readonly rows: readonly (readonly (string | null)[])[]
}

type Values = readonly string[]
type Type = readonly [sql: string, values: Values, isObject?: boolean]

const BIG = ['9007199254740993', '-9223372036854775808', '9223372036854775807', '0', '7', '9007199254740992']
const NUMERIC = ['12345678901234567890.10', '0.1', '-0.50', '1e-20', 'NaN', '100', '7.000']
const TEXTS = [
  '',
  ' x ',
  'a,b',
  '"q"',
  'a\\b',
  "it's",
  'null',
  'NULL',
  'true',
  '{a}',
  '(1,2)',
  'é🚢',
  'a\tb\n"c"',
  '=1+1',
  '*',
  'a%b_c',
  '2024-01-01',
  '1e400',
  '\\N',
  'a.b:c',
  '-',
  '+5',
  '0x10',
  'a&b=c#d?e',
  'in.(1)',
]
const TIMES = [
  '2026-03-01 10:00:05.123456',
  '0044-03-15 12:00:00 BC',
  'infinity',
  '-infinity',
  '1999-12-31 23:59:59',
  '12026-01-02 03:04:05',
]

/** Of the only type of PostgreSQL's own whose arrays have another delimiter; a domain over it has it, too. */
const BOXES = '(3,4),(1,2)'

/** Types without an equality or an order can be no key. */
const TYPES: readonly Type[] = [
  ['smallint', ['-32768', '32767', '0', '5']],
  ['integer', ['-2147483648', '2147483647', '0', '12']],
  ['bigint', BIG],
  ['numeric', NUMERIC],
  ['numeric(12,3)', ['1.500', '-99999999.999', '0.001', '42']],
  ['real', ['0.1', '1e-45', '16777217', '-Infinity', 'NaN', '3.4e38']],
  ['double precision', ['0.1', '5e-324', '1e308', 'Infinity', '-0', 'NaN', '123456789.123456789']],
  ['money', ['$1,234.56', '-$0.01', '92233720368547758.07']],
  ['text', TEXTS],
  ['varchar(8)', ['', 'abc', 'a"b\\c,d', 'éééééééé', ' z ']],
  ['char(5)', ['a', 'ab c', '12345', '']],
  ['citext', ['Abc', 'a"B', ' x ', 'ÄÖ', '']],
  ['name', ['pg_class', 'a b', 'null']],
  ['"char"', ['a', '"', '\\']],
  ['bytea', ['\\x', '\\x00ff10', '\\xdeadbeef']],
  ['bit(4)', ['0101', '1111']],
  ['bit varying(6)', ['', '101010', '1']],
  ['boolean', ['true', 'false']],
  [
    'uuid',
    [
      '00000000-0000-0000-0000-000000000000',
      '6f1b9c5e-2b1a-4a53-9a48-1d9b8f6f0a11',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ],
  ],
  [
    'json',
    // The text of the others is kept in meaning, not in spaces and repeated names: the body of a request is JSON itself.
    ['12345678901234567890', '1.50', '1e400', '"text"', 'true', '{}', '[]', '""'],
    true,
  ],
  [
    'jsonb',
    ['{"a": 9007199254740993}', '[1.50, 0.10]', '"null"', '12345678901234567890.10', '{}', 'false', '""'],
    true,
  ],
  ['date', ['2026-02-28', '0044-03-15 BC', 'infinity', '-infinity', '12026-01-02']],
  ['time', ['23:59:59.999999', '00:00:00', '24:00:00']],
  ['time with time zone', ['23:59:59.5+05:30', '00:00:00-15:59']],
  ['timestamp', TIMES],
  ['timestamp with time zone', TIMES.map(text => text.replace(/(\d)( BC)?$/, '$1+05:30$2'))],
  ['timestamp(3) with time zone', ['2026-03-01 10:00:05.123+00', 'infinity']],
  ['interval', ['-1 years -2 mons +3 days -04:05:06.78', '00:00:00', '1 day', '178000000 years']],
  ['interval day to second', ['1 day 02:03:04', '-5 days']],
  ['inet', ['10.0.0.1', '10.0.0.1/8', '::1', '2001:db8::/32']],
  ['cidr', ['10.0.0.0/8', '192.168.1.0/24', '2001:db8::/32']],
  ['macaddr', ['08:00:2b:01:02:03']],
  ['macaddr8', ['08:00:2b:01:02:03:04:05']],
  ['int4range', ['[1,5)', 'empty', '(,3)', '[2,)']],
  ['int8range', ['[9007199254740992,9007199254740993)', 'empty', '(,)']],
  ['numrange', ['[1.50,2.0]', '(0.1,)']],
  ['tsrange', ['["2026-01-01 00:00:00","2026-01-02 00:00:00")', '(,infinity]']],
  ['tstzrange', ['["2026-01-01 00:00:00+00","2026-01-02 00:00:00+00")']],
  ['daterange', ['[2026-01-01,2026-02-01)', 'empty']],
  ['int8multirange', ['{[9007199254740993,9007199254740995),[9007199254740997,)}', '{}']],
  ['datemultirange', ['{[2026-01-01,2026-02-01)}']],
  ['tsvector', ["'a':1A 'b':2", "'it''s' 'x y'", '']],
  ['tsquery', ["'a' & !'b'", "'a' <-> 'c'"]],
  ['point', ['(1,2.5)', '(-0.1,1e+30)']],
  ['box', [BOXES]],
  ['lseg', ['[(1,2),(3,4)]']],
  ['path', ['((1,2),(3,4))', '[(1,2),(3,4)]']],
  ['polygon', ['((0,0),(1,0),(1,1))']],
  ['circle', ['<(1,2),3>']],
  ['line', ['{1,2,3}']],
  ['xml', ['<a b="c">d</a>', 'text &amp; more']],
  ['oid', ['0', '4294967295']],
  ['pg_lsn', ['16/B374D848', '0/0']],
  ['jsonpath', ['$."a"', '$."b"[*]']],
  ['regclass', ['pg_class']],
  ['mood', ['fine', 'so, "so"', 'null', ' sad ', 'a\\b', "d'oh", '']],
  ['pair', ['(9007199254740993,"a ""b"" ")', '(,)', '(1,"x\\\\y")', '(-1,"")'], true],
  ['nested_pair', ['("(9007199254740993,""a,b"")","{1,NULL}")', '(,)'], true],
]

const elementText = (text: string) => `"${text.replaceAll(/["\\]/g, sign => `\\${sign}`)}"`

const arrayOf = ([sql, values]: Type): Type => {
  const sign = values[0] === BOXES ? ';' : ','
  return [
    `${sql}[]`,
    [
      '{}',
      `{${values.map(elementText).join(sign)}}`,
      `{NULL${sign}${elementText(values[0] ?? '')}}`,
      `{{${elementText(values[0] ?? '')}}${sign}{${elementText(values.at(-1) ?? '')}}}`,
    ],
    true,
  ]
}

const TABLE_NAMES = [
  'plain',
  'Upper',
  'two words',
  ' spaced ',
  'ünï-灯',
  "it's",
  'a&b=c',
  'a+b',
  'a%20b',
  'a#b',
  'a?b',
  'select',
  'a(b)',
  'a:b',
  'x-',
  '1st',
  'a;b',
  '🚢',
  'a|b',
  'a*',
  'x.y',
  'a/b',
]

const COLUMN_NAMES = [
  'plain',
  'Upper',
  'two words',
  'ünïcode',
  '灯',
  'and',
  'or',
  'not',
  'select',
  'order',
  'limit',
  'offset',
  'columns',
  'on_conflict',
  'apikey',
  'null',
  '$1',
  '1st',
  'exact_0',
  'column_1',
  'true',
  'id',
  'length',
  'rate-x',
  'constructor',
  'toString',
  '__proto__',
  'count',
  'amount ',
  ' lead',
  'rate-',
  '-',
  'a  b',
  'a.b',
  'f(x)',
  'a:b',
  'a::text',
  'a->b',
  '!inner',
  '🚢',
  "it's",
  'a&b',
  'a=b',
  'a+b',
  'a%20b',
  'a#b',
  'a?b',
  'a/b',
  '[0]',
  '{}',
  'a;b',
  'tab\tin',
  'line\nin',
  'a*',
  '..',
  '#',
  "'",
  'a"b',
  'a\\b',
  'a,b',
]

/** What REST reads in filters and orders without quotes. */
const NEEDS_NO_QUOTES = /^[\p{L}\d_$]+(?:[ -][\p{L}\d_$]+)*$/u

type Use = 'table' | 'key' | 'column'

/** Shapes that the REST engine of the embedded backend does not read; each is left out, and counted. */
const UNREAD: readonly (readonly [reason: string, use: readonly Use[], test: (name: string) => boolean])[] = [
  ['a dot in the name of a table is read as that of a schema', ['table'], name => name.includes('.')],
  ['a slash in the name of a table is read as a path', ['table'], name => name.includes('/')],
  [
    'a sign that no header can have in the name of a table is not read beside a select',
    ['table'],
    name => /[\u{100}-\u{10FFFF}]/u.test(name),
  ],
  [
    'escaped quotes, backslashes and commas in names of a select',
    ['column', 'key'],
    name => /["\\,]/.test(name),
  ],
  ['a column named count is read as the aggregate', ['column', 'key'], name => name === 'count'],
  ['a column named __proto__ is lost', ['column', 'key'], name => name === '__proto__'],
  ['names of Object.prototype are refused in filters', ['key'], name => name in Object.prototype],
  ['dashes in names are not read in orders', ['key'], name => name.includes('-')],
  ['names in quotes are not read in orders and filters', ['key'], name => !NEEDS_NO_QUOTES.test(name)],
]

/** How often each shape was left out. */
export const leftOut = new Map(UNREAD.map(([reason]) => [reason, 0]))

const isRead = (name: string, use: Use): boolean => {
  const found = UNREAD.find(([, uses, test]) => uses.includes(use) && test(name))
  if (found !== undefined) leftOut.set(found[0], (leftOut.get(found[0]) ?? 0) + 1)
  return found === undefined
}

/** Whether the REST engine reads the name in filters, on which changes are based, and in lists of columns to insert. */
export const isFiltered = (name: string): boolean => isRead(name, 'key')

export const ident = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Types of which tables are generated; created once. */
export const SHARED_TYPES = `
  create type mood as enum (${['fine', 'so, "so"', 'null', ' sad ', 'a\\b', "d'oh", ''].map(literal).join(', ')});
  create type pair as (a bigint, b text);
  create type nested_pair as (p pair, l int[]);`

const KINDS = [
  'table',
  'table',
  'table',
  'view',
  'triggered',
  'partitions',
  'inherited',
  'join',
  'sums',
] as const
type Kind = (typeof KINDS)[number]

const KEYS = [
  'bigint',
  'text',
  'uuid',
  'domain',
  'domain text',
  'enum',
  'time',
  'inet',
  'char',
  'numeric',
  'identity',
  'identity always',
  'two',
  'two texts',
  'none',
  'unique',
  'varchar',
  'bytea',
  'citext',
  'money',
  'range',
] as const
type KeyKind = (typeof KEYS)[number]

class Generator {
  readonly #dice: Dice
  readonly #seed: number
  readonly #statements: string[] = []
  readonly #types: readonly Type[]
  readonly #names: string[]
  #domains = 0

  constructor(seed: number, types: ReadonlySet<string>) {
    this.#dice = createDice(seed)
    this.#seed = seed
    this.#types = TYPES.filter(
      ([sql]) => types.has(sql.replace(/\(.*/, '').replaceAll('"', '')) || !OPTIONAL.test(sql),
    )
    this.#names = [...COLUMN_NAMES]
  }

  #chance(percent: number): boolean {
    return this.#dice.below(100) < percent
  }

  /** The domain over a type, or a domain over a domain over it. */
  #domain([sql, values, isObject = false]: Type): Type {
    const name = `domain_${this.#seed}_${(this.#domains += 1)}`
    this.#statements.push(`create domain ${name} as ${sql};`)
    return this.#chance(30) ? this.#domain([name, values, isObject]) : [name, values, isObject]
  }

  #type(turn: number): Type {
    // Every type has its turn; the others are random.
    let type = turn < 2 ? this.#types[(this.#seed * 2 + turn) % this.#types.length] : undefined
    type ??= this.#dice.pick(this.#types)
    if (this.#chance(25)) type = this.#domain(type)
    if (this.#chance(20)) type = arrayOf(type)
    return this.#chance(10) ? this.#domain(type) : type
  }

  #name(use: Use): string {
    for (;;) {
      const name = this.#dice.pick(use === 'table' ? TABLE_NAMES : this.#names)
      if (!isRead(name, use)) continue
      this.#names.splice(0, Infinity, ...this.#names.filter(each => each !== name))
      return name
    }
  }

  #keyType(kind: KeyKind): Type {
    const texts = [
      'a',
      'Pipe 1/2"',
      'a\\b',
      'c,(d)',
      '"',
      "o'k",
      '',
      ' x ',
      'null',
      'true',
      'a.b',
      '*',
      '%',
      'é🚢',
      'in.(1)',
    ]
    const find = (sql: string): Type => this.#types.find(([name]) => name === sql) ?? ['bigint', BIG]
    switch (kind) {
      case 'text':
        return ['text', texts]
      case 'two texts':
        return ['text', texts.slice(0, 6)]
      case 'domain text':
        return this.#domain(['text', texts])
      case 'domain':
        return this.#domain(['bigint', BIG])
      case 'enum':
        return find('mood')
      case 'time':
        return find('timestamp with time zone')
      case 'char':
        return find('char(5)')
      case 'varchar':
        return find('varchar(8)')
      case 'range':
        return find('int8range')
      case 'numeric':
        return ['numeric', NUMERIC.filter(text => text !== 'NaN')]
      case 'uuid':
      case 'inet':
      case 'bytea':
      case 'citext':
      case 'money':
        return find(kind)
      case 'bigint':
      case 'identity':
      case 'identity always':
      case 'two':
      case 'none':
      case 'unique':
        return ['bigint', BIG]
    }
  }

  #keys(kind: KeyKind): readonly GeneratedColumn[] {
    const count = kind.startsWith('two') ? 2 : 1
    const identity = {
      identity: 'generated by default as identity',
      'identity always': 'generated always as identity',
    }
    return Array.from({ length: count }, () => {
      const [type, values] = this.#keyType(kind)
      const rest = kind === 'identity' || kind === 'identity always' ? identity[kind] : 'not null'
      return {
        name: this.#name('key'),
        type,
        values,
        isNullable: false,
        isObject: false,
        rest,
        ...(kind === 'identity always' && { made: 'always' as const }),
      }
    })
  }

  #others(): readonly GeneratedColumn[] {
    const columns: GeneratedColumn[] = []
    const count = 3 + this.#dice.below(5)
    for (let turn = 0; turn < count; turn += 1) {
      const [type, values, isObject = false] = this.#type(turn)
      const isNullable = !this.#chance(25)
      const given = this.#chance(20) ? ` default ${literal(this.#dice.pick(values))}::${type}` : ''
      columns.push({
        name: this.#name('column'),
        type,
        values,
        isNullable,
        isObject,
        rest: `${isNullable ? '' : 'not null'}${given}`,
      })
    }
    return columns
  }

  /** A column that the database makes. */
  #made(key: KeyKind): readonly GeneratedColumn[] {
    if (this.#chance(25))
      return [
        {
          name: this.#name('column'),
          type: 'int',
          values: [],
          isNullable: false,
          isObject: false,
          rest: 'generated always as (1 + 1) stored',
          made: 'expression',
        },
      ]
    if (key.startsWith('identity') || !this.#chance(25)) return []
    const isAlways = this.#chance(50)
    return [
      {
        name: this.#name('column'),
        type: 'bigint',
        values: ['7', '9007199254740993'],
        isNullable: false,
        isObject: false,
        rest: `generated ${isAlways ? 'always' : 'by default'} as identity`,
        ...(isAlways && { made: 'always' as const }),
      },
    ]
  }

  #rows(columns: readonly GeneratedColumn[], keys: readonly GeneratedColumn[]) {
    const seen = new Set<string>()
    const rows: (string | null)[][] = []
    for (let turn = 0; turn < 12 && rows.length < 4; turn += 1) {
      const row = columns.map(column => {
        if (column.made === 'expression') return null
        if (column.isNullable && this.#chance(20)) return null
        return this.#dice.pick(column.values)
      })
      // As one value may have several texts, values that are equal without case and spaces are equal.
      const key = JSON.stringify(keys.map(column => row[columns.indexOf(column)]?.trim().toLowerCase()))
      if (seen.has(key)) continue
      seen.add(key)
      rows.push(row)
    }
    return rows
  }

  #access(name: string, columns: readonly GeneratedColumn[], keys: readonly GeneratedColumn[]): string {
    const others = columns.filter(column => !keys.includes(column) || this.#chance(10))
    const parts = [`grant all on ${ident(name)} to authenticated;`]
    if (this.#chance(25) && others.length > 1) {
      const [hidden, fixed, left] = Array.from({ length: 3 }, () => this.#dice.pick(others))
      const except = (column: GeneratedColumn | undefined) =>
        columns
          .filter(each => each !== column)
          .map(each => ident(each.name))
          .join(', ')
      parts.push(
        `revoke all on ${ident(name)} from anon, authenticated;`,
        `grant select (${except(this.#chance(60) ? hidden : undefined)}), insert (${except(this.#chance(60) ? left : undefined)}), update (${except(fixed)}), delete on ${ident(name)} to authenticated;`.replace(
          /, delete on (.*) to/,
          ' on $1 to',
        ),
        `grant delete on ${ident(name)} to authenticated;`,
      )
    }
    return parts.join('\n')
  }

  #policies(name: string, keys: readonly GeneratedColumn[]): string {
    const [key] = keys
    if (key === undefined || !this.#chance(25)) return ''
    const table = ident(name)
    const rule = () => this.#dice.pick(['true', `length(${ident(key.name)}::text) % 2 = 0`, 'false'])
    return `alter table ${table} enable row level security;
      create policy a on ${table} for select using (true); create policy b on ${table} for insert with check (true);
      create policy c on ${table} for update using (${rule()}) with check (true); create policy d on ${table} for delete using (${rule()});`
  }

  table(): GeneratedTable {
    const dice = this.#dice
    const kind = dice.pick(KINDS)
    const wanted = dice.pick(KEYS)
    const key =
      kind === 'partitions' && (wanted === 'none' || wanted === 'unique' || wanted === 'money')
        ? 'bigint'
        : wanted
    const keys = this.#keys(key)
    const columns = [...this.#made(key), ...this.#others(), ...keys].sort(() => dice.below(2) - 0.5)
    const title = `${this.#name('table')} ${this.#seed}`
    const isView = kind === 'view' || kind === 'triggered' || kind === 'join' || kind === 'sums'
    const base = isView ? `base ${this.#seed}` : title
    const list = keys.map(({ name }) => ident(name)).join(', ')
    const constraint =
      key === 'none' ? '' : key === 'unique' ? `, unique (${list})` : `, primary key (${list})`
    const isPartitioned = kind === 'partitions'
    const defined = columns.map(column => `${ident(column.name)} ${column.type} ${column.rest}`).join(', ')
    this.#statements.push(
      `create table ${ident(base)} (${defined}${constraint})${isPartitioned ? ` partition by hash (${list})` : ''};`,
    )
    if (isPartitioned)
      for (const at of [0, 1])
        this.#statements.push(
          `create table ${ident(`part ${this.#seed} ${at}`)} partition of ${ident(base)} for values with (modulus 2, remainder ${at});`,
        )
    const child = `child ${this.#seed}`
    if (kind === 'inherited')
      this.#statements.push(`create table ${ident(child)} (extra text) inherits (${ident(base)});`)
    const rows = this.#rows(columns, key === 'none' ? [] : keys)
    const given = columns.filter(column => column.made !== 'expression')
    for (const [at, row] of rows.entries()) {
      const values = given.map(column => {
        const text = row[columns.indexOf(column)] ?? null
        return text === null ? 'null' : `${literal(text)}::text::${column.type}`
      })
      const into =
        kind === 'inherited' && at % 2 === 1 && !columns.some(column => column.rest.includes('identity'))
          ? child
          : base
      this.#statements.push(
        `insert into ${ident(into)} (${given.map(({ name }) => ident(name)).join(', ')}) overriding system value values (${values.join(', ')});`,
      )
    }
    if (isView) this.#statements.push(this.#view(kind, { title, base, columns, keys }))
    else this.#statements.push(this.#policies(base, keys))
    this.#statements.push(this.#access(title, kind === 'sums' || kind === 'join' ? [] : columns, keys))
    const hasKey = key !== 'none' && key !== 'unique'
    return {
      seed: this.#seed,
      name: title,
      base,
      kind,
      key,
      columns,
      keys: hasKey ? keys.map(({ name }) => name) : [],
      sql: this.#statements.join('\n'),
      rows,
    }
  }

  #view(
    kind: Kind,
    {
      title,
      base,
      columns,
      keys,
    }: Record<'title' | 'base', string> & Record<'columns' | 'keys', readonly GeneratedColumn[]>,
  ): string {
    const [view, table] = [ident(title), ident(base)]
    if (kind === 'sums')
      return `create view ${view} as select count(*) as n, sum(9007199254740993::bigint) as total from ${table};`
    if (kind === 'join')
      return `create view ${view} as select b.* from ${table} b join (values (1)) v (one) on true;`
    if (kind === 'view') return `create view ${view} as select * from ${table};`
    const written = columns.filter(column => column.made === undefined)
    const names = written.map(({ name }) => ident(name)).join(', ')
    const values = written.map(({ name }) => `new.${ident(name)}`).join(', ')
    const same = keys.map(({ name }) => `b.${ident(name)} = old.${ident(name)}`).join(' and ')
    const run = `write_${this.#seed}`
    return `create view ${view} as select * from ${table} offset 0;
      create function ${run}() returns trigger language plpgsql security definer as $$ begin
        if tg_op = 'INSERT' then insert into ${table} (${names}) values (${values}); return new; end if;
        if tg_op = 'UPDATE' then update ${table} b set (${names}) = row(${values}) where ${same}; return new; end if;
        delete from ${table} b where ${same}; return old;
      end $$;
      create trigger t instead of insert or update or delete on ${view} for each row execute function ${run}();`
  }
}

/** Types that not every server has. */
const OPTIONAL = /^(citext|xml)$/

/** @param types the optional types that the server has */
export const generateTable = (seed: number, types: ReadonlySet<string>): GeneratedTable =>
  new Generator(seed, types).table()
