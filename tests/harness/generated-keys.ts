// Tables with foreign keys of every kind, generated from a seed: composite, to the same table, two to one table,
// nullable, with quoted names; with rows.
import { createDice, type Dice } from './odd-values.ts'

const NAMES = [
  'berth',
  'Quay side',
  'a"b',
  'x.y',
  'ünï',
  'order',
  'left',
  '灯',
  'it’s (1)',
  'related_0',
  'a,b',
  'name',
]
const TYPES: readonly (readonly [type: string, values: readonly string[]])[] = [
  ['text', ['', 'a', 'a,b', '"q"', 'null', 'é🚢', '(1,2)', 'a\\b']],
  ['bigint', ['9007199254740993', '0', '-7']],
  ['numeric', ['12345678901234567890.10', '0.10', 'NaN']],
  ['boolean', ['true', 'false']],
  ['jsonb', ['{"a": 1.10}', '[]']],
  ['date', ['2024-02-29', 'infinity']],
]

export interface KeyedColumn {
  readonly name: string
  readonly type: string
}

export interface GeneratedKey {
  readonly name: string
  readonly columns: readonly string[]
  /** Name of the other table. */
  readonly to: string
  readonly references: readonly string[]
}

export interface KeyedTable {
  readonly name: string
  readonly key: readonly KeyedColumn[]
  readonly columns: readonly KeyedColumn[]
  readonly keys: readonly GeneratedKey[]
  readonly rows: readonly (readonly (string | null)[])[]
}

export const ident = (name: string): string => `"${name.replaceAll('"', '""')}"`
const literal = (text: string | null): string => (text === null ? 'null' : `'${text.replaceAll("'", "''")}'`)

const MOST_ROWS = 6

/** The value of a row's key, unique by the number of the row. */
const keyValue = (type: string, row: number, at: number): string =>
  type === 'bigint' ? String(9007199254740990n + BigInt(row)) : `k ${row} "${at}"`

/** @param before the tables that the keys may refer to */
const generateTable = (dice: Dice, name: string, before: readonly KeyedTable[]): KeyedTable => {
  const count = 1 + dice.below(2)
  const key = Array.from({ length: count }, (_, at) => ({
    name: at === 0 ? 'id' : dice.pick(['No', 'part two']),
    type: dice.pick(['bigint', 'text']),
  }))
  const values = Array.from({ length: 1 + dice.below(2) }, (_, at) => {
    const [type] = dice.pick(TYPES)
    return { name: `${dice.pick(NAMES)}${at}`, type }
  })
  const self: KeyedTable = { name, key, columns: [], keys: [], rows: [] }
  const targets = [...before, ...(count === 1 ? [self] : [])]
  const keys: GeneratedKey[] = []
  const keyColumns: KeyedColumn[] = []
  for (let at = 0; at < dice.below(4) && targets.length > 0; at += 1) {
    const to = dice.pick(targets)
    const columns = to.key.map((column, part) => ({
      name: `k${at} ${dice.pick(NAMES)} ${part}`,
      type: column.type,
    }))
    keyColumns.push(...columns)
    keys.push({
      name: `${name} key ${at}`.slice(0, 60),
      columns: columns.map(column => column.name),
      to: to.name,
      references: to.key.map(column => column.name),
    })
  }
  const columns = [...key, ...values, ...keyColumns]
  const size = dice.below(MOST_ROWS) + 1
  const rows: (string | null)[][] = []
  for (let row = 0; row < size; row += 1) {
    const cells = new Map<string, string | null>()
    key.forEach((column, at) => cells.set(column.name, keyValue(column.type, row, at)))
    for (const column of values) {
      const choices = TYPES.find(([type]) => type === column.type)?.[1] ?? []
      cells.set(column.name, dice.below(4) === 0 ? null : dice.pick(choices))
    }
    for (const each of keys) {
      const target = each.to === name ? rows : (before.find(table => table.name === each.to)?.rows ?? [])
      const parts = each.columns.length
      const targetRow = target.length === 0 || dice.below(4) === 0 ? undefined : dice.pick(target)
      each.columns.forEach((column, at) => cells.set(column, targetRow?.[at] ?? null))
      // A key of which a part is null refers to nothing.
      if (parts > 1 && dice.below(5) === 0) cells.set(each.columns[0] ?? '', null)
    }
    rows.push(columns.map(column => cells.get(column.name) ?? null))
  }
  return { name, key, columns, keys, rows }
}

/** Tables that refer to each other, the referenced ones first. */
export const generateKeyedTables = (seed: number): readonly KeyedTable[] => {
  const dice = createDice(seed)
  const tables: KeyedTable[] = []
  const count = 2 + dice.below(3)
  for (let at = 0; at < count; at += 1)
    tables.push(generateTable(dice, `t${seed}_${at} ${dice.pick(NAMES)}`, tables))
  return tables
}

export const keyedTablesSql = (tables: readonly KeyedTable[]): string =>
  tables
    .map(({ name, key, columns, keys, rows }) => {
      const list = (names: readonly string[]) => names.map(ident).join(', ')
      const parts = [
        ...columns.map(column => `${ident(column.name)} ${column.type}`),
        `primary key (${list(key.map(column => column.name))})`,
        ...keys.map(
          each =>
            `constraint ${ident(each.name)} foreign key (${list(each.columns)}) references ${ident(each.to)} (${list(each.references)})`,
        ),
      ]
      const inserts = rows.map(row => `insert into ${ident(name)} values (${row.map(literal).join(', ')});`)
      return `create table ${ident(name)} (${parts.join(', ')});\n${inserts.join('\n')}`
    })
    .join('\n')
