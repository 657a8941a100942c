// Tables and columns: parsed from the REST root's OpenAPI document, or guessed from rows.
import type { TableSort } from './table-query.ts'
import { isAnyKeyOf, named } from '../storage/safe-record.ts'
import { array, object, optional, safeParse, string, unknown, type InferOutput } from 'valibot'

/** The column of another table that a column references. */
export interface Reference {
  readonly table: string
  readonly column: string
  /** All columns of the same composite reference, including this one. */
  readonly pairs?: readonly Pair[]
}

export interface Pair {
  readonly own: string
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

export interface Column {
  readonly name: string
  readonly type: FieldType
  /** The database's name of the type; shown next to the field. */
  readonly format: string
  /** Whether null is forbidden. */
  readonly required: boolean
  /** Whether the server fills in a missing value. */
  readonly hasDefault: boolean
  /** The default as the backend describes it; absent if it does not. */
  readonly defaultValue?: string
  readonly isKey: boolean
  /** Set when the database generates the values and refuses others. */
  readonly made?: 'identity' | 'generated'
  readonly options?: readonly string[]
  readonly note?: string
  readonly references?: Reference
}

/** What the role may do according to the backend; row policies may forbid more. */
export interface TableRights {
  readonly insert: boolean
  readonly update: boolean
  readonly delete: boolean
}

export const ALL_RIGHTS: TableRights = { insert: true, update: true, delete: true }

export interface TableInfo {
  readonly name: string
  readonly columns: readonly Column[]
  readonly rights: TableRights
  readonly note?: string
  /** False when the columns were guessed from rows. */
  readonly known: boolean
  /** The source of the columns does not name the primary key. */
  readonly isKeyUnknown?: true
}

export type Row = Readonly<Record<string, unknown>>

const property = object({
  format: optional(string(), ''),
  type: optional(string()),
  default: optional(unknown()),
  description: optional(string(), ''),
  enum: optional(array(string())),
})

const document = object({
  definitions: named(
    object({
      description: optional(string(), ''),
      required: optional(array(string()), []),
      properties: optional(named(property), {}),
    }),
  ),
  paths: optional(named(isAnyKeyOf)),
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

const toColumn = (name: string, about: InferOutput<typeof property>, required: boolean): Column => {
  const isKey = about.description.includes('<pk')
  const type = about.enum === undefined ? fieldType(about.format) : 'enum'
  const note = about.description.split('Note:\n')[0]?.trim() ?? ''
  return {
    name,
    type,
    format: about.format || about.type || 'unknown',
    required,
    // Identity columns report no default, but the server fills them.
    hasDefault: about.default !== undefined || (isKey && type === 'integer'),
    ...(about.default === undefined ? {} : { defaultValue: valueText(about.default) }),
    isKey,
    ...(about.enum === undefined ? {} : { options: about.enum }),
    ...(note === '' ? {} : { note }),
    ...referenceIn(about.description),
  }
}

/** The tables of an OpenAPI document; undefined when it is not one or lists no table. */
export const parseTables = (answer: unknown): readonly TableInfo[] | undefined => {
  const parsed = safeParse(document, answer)
  if (!parsed.success) return undefined
  const tables = Object.entries(parsed.output.definitions).map(([name, table]) => ({
    name,
    known: true,
    rights: rightsIn(parsed.output.paths?.[`/${name}`]),
    ...(table.description === '' ? {} : { note: table.description }),
    columns: Object.entries(table.properties).map(([column, about]) =>
      toColumn(column, about, table.required.includes(column)),
    ),
  }))
  return tables.length === 0
    ? undefined
    : tables.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

const KEY_UNKNOWN =
  'Its primary key is not known: the backend lists no columns for this key, and none of the likely columns is it.'

/** Why the table is read-only; undefined when it can be changed. */
export const readOnlyReason = (info: TableInfo): string | undefined => {
  const { columns, rights } = info
  if (!rights.insert && !rights.update && !rights.delete)
    return 'It is a view, or your role has no right to change it.'
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
    return { name: column, type, format: type, required: false, hasDefault: true, isKey: column === 'id' }
  })
  return { name, columns, known: false, rights: ALL_RIGHTS }
}

const SEPARATOR = ' · '

/** Escapes the separator, so that no two rows share a key. */
const keyPart = (text: string): string => text.replaceAll(/[\\·]/g, sign => `\\${sign}`)

/** The values of the key columns as one text; undefined when the table has no known key. */
export const rowKey = (table: TableInfo, row: Row): string | undefined => {
  const keys = table.columns.filter(column => column.isKey)
  const [only] = keys
  if (only === undefined) return undefined
  if (keys.length === 1) return valueText(row[only.name])
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
