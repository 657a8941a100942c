// Tables and columns: parsed from the REST root's OpenAPI document, or guessed from rows.
import type { ForeignKey } from './foreign-keys.ts'
import type { RelatedColumn } from './related.ts'
import type { TableSort } from './table-query.ts'
import { isAnyKeyOf, byName, ownValue } from '../storage/safe-record.ts'
import { isExactNumber } from '../text/json-format.ts'
import {
  array,
  boolean,
  object,
  optional,
  picklist,
  safeParse,
  string,
  unknown,
  type InferOutput,
} from 'valibot'

/** The column of another table that a column references. */
export interface Reference {
  readonly table: string
  readonly column: string
  /** All columns of the same composite reference, including this one. */
  readonly pairs?: readonly Pair[]
}

export interface Pair {
  readonly ours: string
  readonly theirs: string
}

const REFERENCE = /<fk table='([^']+)' column='([^']+)'\/>/

/** Parses PostgREST's column description. */
const referenceIn = (description: string): { readonly references?: Reference } => {
  const [, table, column] = REFERENCE.exec(description) ?? []
  return table === undefined || column === undefined ? {} : { references: { table, column } }
}

export type FieldType =
  | 'integer'
  | 'number'
  | 'boolean'
  | 'timestamp'
  | 'date'
  | 'time'
  | 'interval'
  | 'json'
  | 'array'
  | 'uuid'
  | 'enum'
  | 'bytea'
  | 'text'

/** A privilege that can be granted on a column. */
export type ColumnRight = 'select' | 'insert' | 'update'

export interface Column {
  readonly name: string
  readonly type: FieldType
  /** The database's name of the type; shown next to the field. */
  readonly format: string
  /** Whether null is forbidden. */
  readonly required: boolean
  /** Whether the server fills in a missing value. */
  readonly hasDefault: boolean
  /**
   * The source does not say whether it does: PostgREST describes no identity and only some defaults, a view has
   * those of its tables, and a trigger may set any column.
   */
  readonly isDefaultUnknown?: true
  /** The default as the backend describes it; absent if it does not. */
  readonly defaultValue?: string
  readonly isKey: boolean
  /** Set when the database generates the values and refuses others. */
  readonly generation?: 'identity' | 'generated'
  /** Privileges that the role lacks on this column, though it has them on others. */
  readonly lacks?: readonly ColumnRight[]
  readonly options?: readonly string[]
  readonly note?: string
  readonly references?: Reference
  /** Set for a column of another table's row, which the grid shows next to the key. */
  readonly related?: RelatedColumn
}

export const TABLE_KINDS = [
  'table',
  'partitioned table',
  'view',
  'materialized view',
  'foreign table',
] as const

export type TableKind = (typeof TABLE_KINDS)[number]

/** What the role may do according to the backend; row policies may forbid more. */
export interface TableRights {
  readonly insert: boolean
  readonly update: boolean
  readonly delete: boolean
}

export const ALL_RIGHTS: TableRights = { insert: true, update: true, delete: true }

export interface TableInfo {
  readonly name: string
  /** Undefined if its source does not say. */
  readonly kind?: TableKind
  /** All foreign keys; undefined if its source describes only those that columns have. */
  readonly keys?: readonly ForeignKey[]
  /** The columns that can be read. */
  readonly columns: readonly Column[]
  /** Columns that the role may not read, or that REST cannot name; the role may have other privileges on them. */
  readonly unreadable?: readonly Column[]
  readonly rights: TableRights
  /** The database's reason for missing rights, where it gave one. */
  readonly lacksRights?: string
  readonly note?: string
  /** False when the columns were guessed from rows. */
  readonly isKnown: boolean
  /** The source of the columns does not name the primary key. */
  readonly isKeyUnknown?: true
  /** Different rows have the same key, as in a parent of inherited tables: a row is identified by all its values. */
  readonly isKeyShared?: true
}

export type Row = Readonly<Record<string, unknown>>

const property = object({
  format: optional(string(), ''),
  type: optional(string()),
  default: optional(unknown()),
  description: optional(string(), ''),
  enum: optional(array(string())),
})

/** Of Chartroom's own backend: what PostgREST's description lacks. */
const supplement = object({
  kind: optional(picklist(TABLE_KINDS)),
  keys: optional(
    array(
      object({
        name: string(),
        columns: array(string()),
        table: string(),
        schema: optional(string()),
        references: array(string()),
      }),
    ),
    [],
  ),
  rights: optional(object({ insert: boolean(), update: boolean(), delete: boolean() })),
  generated: optional(byName(picklist(['identity', 'expression'])), {}),
  /** Those that the document itself lacks. */
  defaults: optional(byName(string()), {}),
  denied: optional(byName(array(picklist(['select', 'insert', 'update']))), {}),
  /** Triggers may set columns of a new row. */
  hasTriggers: optional(boolean(), false),
})

type Supplement = InferOutput<typeof supplement>

const document = object({
  definitions: byName(
    object({
      description: optional(string(), ''),
      required: optional(array(string()), []),
      properties: optional(byName(property), {}),
      'x-chartroom': optional(supplement),
    }),
  ),
  paths: optional(byName(isAnyKeyOf)),
})

const TYPES: readonly (readonly [RegExp, FieldType])[] = [
  [/\[\]$/, 'array'],
  [/^(small|big)?int(eger)?$|^int[248]$|serial$/, 'integer'],
  [/^(numeric|decimal|double|real|float|money)/, 'number'],
  [/^bool/, 'boolean'],
  [/^timestamp/, 'timestamp'],
  [/^date$/, 'date'],
  [/^time(tz)?( |$|\()/, 'time'],
  [/^interval/, 'interval'],
  [/^jsonb?$/, 'json'],
  [/^bytea$/, 'bytea'],
  [/^uuid$/, 'uuid'],
]

/** The editor type for a database type. */
export const fieldType = (format: string): FieldType =>
  TYPES.find(([test]) => test.test(format))?.[1] ?? 'text'

const rightsIn = (methods: Readonly<Record<string, unknown>> | undefined): TableRights =>
  methods === undefined
    ? ALL_RIGHTS
    : { insert: 'post' in methods, update: 'patch' in methods, delete: 'delete' in methods }

/** PostgREST 14 names the formats of OpenAPI, and qualifies types that are not PostgreSQL's own. */
const FORMATS: Readonly<Record<string, string>> = { int32: 'integer', int64: 'bigint' }

/** The database's name of a described type. */
export const formatIn = ({ format, type }: { readonly format: string; readonly type?: string | undefined }) =>
  ownValue(FORMATS, format) ?? (format.replace(/^\w+\.(?=citext(?:\[\])?$)/, '') || type || 'unknown')

/** Whether a column without a described default has none. */
const saysDefaults = (supplement: Supplement | undefined): boolean =>
  supplement !== undefined && !supplement.hasTriggers && supplement.kind?.includes('view') !== true

const toColumn = (
  name: string,
  about: InferOutput<typeof property>,
  { required, more: supplement }: { readonly required: boolean; readonly more: Supplement | undefined },
): Column => {
  const isKey = about.description.includes('<pk')
  const format = formatIn(about)
  const type = about.enum === undefined ? fieldType(format) : 'enum'
  const note = about.description.split('Note:\n')[0]?.trim() ?? ''
  const generated = supplement && ownValue(supplement.generated, name)
  const lacks = supplement && ownValue(supplement.denied, name)
  const fallback = about.default ?? (supplement && ownValue(supplement.defaults, name))
  const hasDefault = fallback !== undefined || generated !== undefined
  return {
    name,
    type,
    format,
    required,
    hasDefault,
    ...(hasDefault || saysDefaults(supplement) ? {} : { isDefaultUnknown: true }),
    ...(fallback === undefined ? {} : { defaultValue: valueText(fallback) }),
    isKey,
    ...(generated === undefined ? {} : { generation: generated === 'identity' ? 'identity' : 'generated' }),
    ...(lacks === undefined ? {} : { lacks }),
    ...(about.enum === undefined ? {} : { options: about.enum }),
    ...(note === '' ? {} : { note }),
    ...referenceIn(about.description),
  }
}

/** REST reads this name, quoted or not, as all columns. */
const UNNAMED = '*'

const isReadable = ({ name, lacks }: Column): boolean =>
  name !== UNNAMED && lacks?.includes('select') !== true

/** The columns that can be read, and the others. */
export const byReading = (columns: readonly Column[]): Pick<TableInfo, 'columns' | 'unreadable'> => {
  const unreadable = columns.filter(column => !isReadable(column))
  return unreadable.length === 0 ? { columns } : { columns: columns.filter(isReadable), unreadable }
}

/** Why a column is not shown. */
export const unreadableReason = ({ name }: Column): string =>
  name === UNNAMED ? 'REST reads this name as all columns' : 'your role has no privilege to read it'

/** All columns, also those that cannot be read. */
export const allColumns = ({
  columns,
  unreadable,
}: Pick<TableInfo, 'columns' | 'unreadable'>): readonly Column[] =>
  unreadable === undefined ? columns : [...columns, ...unreadable]

/** The columns of a new row, as the role may fill them. */
export const insertColumns = (info: Pick<TableInfo, 'columns' | 'unreadable'>): readonly Column[] =>
  allColumns(info).filter(({ lacks }) => lacks?.includes('insert') !== true)

/** Why the column of an existing row cannot be changed; undefined when it can. */
export const fixedReason = ({
  generation,
  lacks,
  related,
}: Pick<Column, 'generation' | 'lacks' | 'related'>): string | undefined => {
  if (related !== undefined) return `it is a value of ${related.steps.at(-1)?.table ?? 'another table'}`
  if (generation !== undefined)
    return generation === 'identity' ? 'identity column' : 'generated by the database'
  return lacks?.includes('update') === true ? 'your role has no privilege to change it' : undefined
}

/** Whether a new row may leave the column to the server, which has the last word where defaults are not known. */
export const mayBeOmitted = ({ required, hasDefault, isDefaultUnknown }: Column): boolean =>
  !required || hasDefault || isDefaultUnknown === true

const keysIn = ({ keys }: Supplement): readonly ForeignKey[] =>
  keys.map(({ name, columns, table, schema, references }) => ({
    name,
    table,
    ...(schema === undefined ? {} : { schema }),
    pairs: columns.map((ours, at) => ({ ours, theirs: references[at] ?? '' })),
  }))

/** Adds the references of composite keys, which PostgREST's description of columns lacks. */
const withReference = (column: Column, keys: readonly ForeignKey[]): Column => {
  if (column.references !== undefined) return column
  const key = keys.find(
    ({ schema, pairs }) =>
      schema === undefined && pairs.length > 1 && pairs.some(({ ours }) => ours === column.name),
  )
  const theirs = key?.pairs.find(({ ours }) => ours === column.name)?.theirs
  return key === undefined || theirs === undefined
    ? column
    : { ...column, references: { table: key.table, column: theirs, pairs: key.pairs } }
}

/** The tables of an OpenAPI document; undefined when it is not one or lists no table. */
export const parseTables = (answer: unknown): readonly TableInfo[] | undefined => {
  const parsed = safeParse(document, answer)
  if (!parsed.success) return undefined
  const tables = Object.entries(parsed.output.definitions).map(([name, table]): TableInfo => {
    const supplement = table['x-chartroom']
    const keys = supplement && keysIn(supplement)
    const columns = Object.entries(table.properties)
      .map(([column, about]) =>
        toColumn(column, about, { required: table.required.includes(column), more: supplement }),
      )
      .map(column => (keys === undefined ? column : withReference(column, keys)))
    return {
      name,
      ...(supplement?.kind === undefined ? {} : { kind: supplement.kind }),
      ...(supplement?.kind === undefined || keys === undefined ? {} : { keys }),
      isKnown: true,
      rights: supplement?.rights ?? rightsIn(parsed.output.paths?.[`/${name}`]),
      ...(table.description === '' ? {} : { note: table.description }),
      ...byReading(columns),
    }
  })
  return tables.length === 0
    ? undefined
    : tables.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

const KEY_UNKNOWN =
  'Its primary key is not known: the backend lists no columns for this key, and none of the likely columns is it.'

const noRightsReason = ({ kind, lacksRights }: TableInfo): string => {
  if (lacksRights !== undefined) return lacksRights
  if (kind === 'materialized view') return 'It is a materialized view.'
  if (kind === 'view') return 'This view cannot be written to, or your role has no right to.'
  return kind === undefined
    ? 'It is a view, or your role has no right to change it.'
    : 'Your role has no right to change it.'
}

/** Why the table is read-only; undefined when it can be changed. */
export const readOnlyReason = (info: TableInfo): string | undefined => {
  const { columns, rights, unreadable = [] } = info
  if (!rights.insert && !rights.update && !rights.delete) return noRightsReason(info)
  const hidden = unreadable.find(column => column.isKey)
  if (hidden !== undefined)
    return `Single rows cannot be identified: ${hidden.name} belongs to the primary key, and ${unreadableReason(hidden)}.`
  const hasKey = columns.some(column => column.isKey)
  if (info.isKeyUnknown && columns.length > 0 && !hasKey) return KEY_UNKNOWN
  if (columns.length > 0 && !hasKey) return 'It has no primary key, so single rows cannot be identified.'
  return undefined
}

/** A value as one line of text. */
export const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/

const guessType = (value: unknown): FieldType => {
  if (isExactNumber(value)) return 'number'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'object' && value !== null) return 'json'
  if (typeof value !== 'string') return 'text'
  if (UUID.test(value)) return 'uuid'
  if (TIMESTAMP.test(value)) return 'timestamp'
  return /^\d{4}-\d\d-\d\d$/.test(value) ? 'date' : 'text'
}

/** Guesses columns from loaded rows; `id` is assumed to be the key. */
export const guessTable = (name: string, rows: readonly Row[]): TableInfo => {
  const names = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const columns = names.map((column): Column => {
    const sample = rows.map(row => row[column]).find(value => value !== null && value !== undefined)
    const type = guessType(sample)
    return {
      name: column,
      type,
      format: type,
      required: false,
      hasDefault: false,
      isDefaultUnknown: true,
      isKey: column === 'id',
    }
  })
  return { name, columns, isKnown: false, rights: ALL_RIGHTS }
}

/** The table as one without a key: its rows are compared as a whole. */
export const withoutKey = (info: TableInfo): TableInfo => ({
  ...info,
  columns: info.columns.map(column => ({ ...column, isKey: false })),
})

const SEPARATOR = ' · '

/** Escapes the separator, so that no two rows share a key. */
const keyPart = (text: string): string => text.replaceAll(/[\\·]/g, sign => `\\${sign}`)

/** The text that identifies a row: the values of its key columns; undefined when the table has no known key. */
export const rowKey = (table: TableInfo, row: Row): string | undefined => {
  const keys = table.columns.filter(column => column.isKey)
  const [onlyKey] = keys
  if (onlyKey === undefined) return undefined
  if (table.isKeyShared) return JSON.stringify(table.columns.map(column => row[column.name] ?? null))
  if (keys.length === 1) return valueText(row[onlyKey.name])
  return keys.map(column => keyPart(valueText(row[column.name]))).join(SEPARATOR)
}

/** A row's display name: `id 4`. */
export const rowName = (table: TableInfo, row: Row): string =>
  table.columns
    .filter(column => column.isKey)
    .map(column => `${column.name} ${valueText(row[column.name])}`)
    .join(', ') || 'row'

/** The default sort: highest number first. */
export const defaultSorts = (table: TableInfo | undefined): readonly TableSort[] => {
  const key = table?.columns.find(column => column.isKey)
  if (key === undefined) return []
  return [{ column: key.name, direction: key.type === 'integer' ? 'desc' : 'asc' }]
}
