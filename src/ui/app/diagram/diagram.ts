// The tables and foreign keys of a schema as a graph, from what the app knows of them.
import {
  allColumns,
  keysFrom,
  shortType,
  type TableInfo,
  type TableKind,
} from '../../../services/workbench/table/index.ts'
import { tableId } from '../../../services/workbench/table-list/index.ts'
import { plural } from '../../../services/workbench/text/index.ts'

export interface DiagramColumn {
  readonly name: string
  /** The database's name of the type; empty if it is not known. */
  readonly format: string
  readonly isKey: boolean
  /** Whether a foreign key of the table has it. */
  readonly isReference: boolean
  readonly isRequired: boolean
}

export interface DiagramTable {
  /** Unique among all tables. */
  readonly id: string
  readonly schema: string
  readonly name: string
  /** Undefined if its source does not say. */
  readonly kind: TableKind | undefined
  /** Of a table that is not listed, those that are referred to. */
  readonly columns: readonly DiagramColumn[]
  /** False for a table that a key refers to and that the backend does not list. */
  readonly isListed: boolean
  /** Ids of the tables that it refers to, each once. */
  readonly refersTo: readonly string[]
  /** Ids of the tables that refer to it, each once. */
  readonly referredBy: readonly string[]
}

export interface DiagramKey {
  /** Unique among all keys. */
  readonly id: string
  /** Name of the constraint; undefined where the source of the schema does not name it. */
  readonly name: string | undefined
  /** Id of the table that has the key. */
  readonly from: string
  /** Id of the table that it refers to. */
  readonly to: string
  readonly pairs: readonly { readonly ours: string; readonly theirs: string }[]
  /** Whether at most one row refers to a row: its columns are the primary key. */
  readonly isUnique: boolean
  /** Whether a row may refer to nothing. */
  readonly isOptional: boolean
}

export interface Diagram {
  readonly tables: readonly DiagramTable[]
  readonly keys: readonly DiagramKey[]
  /** The schemas with tables, in the order of their colors. */
  readonly schemas: readonly string[]
  /** Tables of this schema are named without it. */
  readonly home: string
}

type Schemas = ReadonlyMap<string, readonly TableInfo[]>

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every(name => b.includes(name))

const keysOf = (schema: string, info: TableInfo): readonly DiagramKey[] => {
  const columns = allColumns(info)
  const primary = columns.filter(({ isKey }) => isKey).map(({ name }) => name)
  const from = tableId(schema, info.name)
  return keysFrom(info).map((key, at) => ({
    id: `${from}:${at}`,
    name: key.name,
    from,
    to: tableId(key.schema ?? schema, key.table),
    pairs: key.pairs,
    isUnique: isSame(
      key.pairs.map(({ ours }) => ours),
      primary,
    ),
    isOptional: columns.some(
      ({ name, required }) => !required && key.pairs.some(({ ours }) => ours === name),
    ),
  }))
}

const unlisted = (id: string, keys: readonly DiagramKey[]): Omit<DiagramTable, 'refersTo' | 'referredBy'> => {
  const [schema = '', name = ''] = JSON.parse(id) as string[]
  const names = new Set(
    keys.filter(({ to }) => to === id).flatMap(({ pairs }) => pairs.map(pair => pair.theirs)),
  )
  const columns = [...names].map(column => ({
    name: column,
    format: '',
    isKey: false,
    isReference: false,
    isRequired: false,
  }))
  return { id, schema, name, kind: undefined, columns, isListed: false }
}

/**
 * The graph of the tables, and of the tables of other schemas that they refer to.
 * @param home the schema whose tables are named without it
 */
export function diagramOf(schemas: Schemas, home: string): Diagram {
  const keys = [...schemas].flatMap(([schema, infos]) => infos.flatMap(info => keysOf(schema, info)))
  const listed = [...schemas].flatMap(([schema, infos]) =>
    infos.map(info => {
      const own = new Set(keysFrom(info).flatMap(({ pairs }) => pairs.map(pair => pair.ours)))
      const columns = allColumns(info).map(({ name, format, isKey, required }) => ({
        name,
        format: shortType(format),
        isKey,
        isReference: own.has(name),
        isRequired: required,
      }))
      return {
        id: tableId(schema, info.name),
        schema,
        name: info.name,
        kind: info.kind,
        columns,
        isListed: true,
      }
    }),
  )
  const ids = new Set(listed.map(({ id }) => id))
  const others = [...new Set(keys.map(({ to }) => to))]
    .filter(id => !ids.has(id))
    .map(id => unlisted(id, keys))
  const [refersTo, referredBy] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
  for (const { from, to } of keys) {
    refersTo.set(from, (refersTo.get(from) ?? new Set()).add(to))
    referredBy.set(to, (referredBy.get(to) ?? new Set()).add(from))
  }
  const tables = [...listed, ...others].map(table => ({
    ...table,
    refersTo: [...(refersTo.get(table.id) ?? [])],
    referredBy: [...(referredBy.get(table.id) ?? [])],
  }))
  return { tables, keys, schemas: [...new Set(tables.map(({ schema }) => schema))], home }
}

/** The name of a table, with its schema if that is not the home schema. */
export const tableTitle = (
  { schema, name }: Pick<DiagramTable, 'schema' | 'name'>,
  { home }: Pick<Diagram, 'home'>,
): string => (schema === home ? name : `${schema}.${name}`)

const titleOf = (id: string, table: DiagramTable, diagram: Diagram): string => {
  if (id === table.id) return 'itself'
  const [schema = '', name = ''] = JSON.parse(id) as string[]
  return tableTitle({ schema, name }, diagram)
}

/** What the table refers to and what refers to it, as parts of a sentence. */
export const relationWords = (table: DiagramTable, diagram: Diagram): readonly string[] => {
  const words = (text: string, ids: readonly string[]) =>
    ids.length === 0 ? [] : [`${text} ${ids.map(id => titleOf(id, table, diagram)).join(', ')}`]
  const others = table.referredBy.filter(id => id !== table.id)
  return [...words('refers to', table.refersTo), ...words('referred to by', others)]
}

/** `orders: 8 columns, refers to customers, referred to by order_items`. */
export function spokenTable(table: DiagramTable, diagram: Diagram): string {
  const kind = table.kind === undefined || table.kind === 'table' ? '' : `, ${table.kind}`
  const size = table.isListed ? plural(table.columns.length, 'column') : 'not listed by the backend'
  return `${tableTitle(table, diagram)}${kind}: ${[size, ...relationWords(table, diagram)].join(', ')}`
}

/** The table and all tables that a key connects with it. */
export const neighborhood = ({ id, refersTo, referredBy }: DiagramTable): ReadonlySet<string> =>
  new Set([id, ...refersTo, ...referredBy])

const slug = (text: string): string => text.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')

/** Longer lists of schemas are given as their number. */
const NAMED_SCHEMAS = 3

/** `harbour-public.svg`. */
export const diagramFileName = (project: string, { schemas }: Pick<Diagram, 'schemas'>): string => {
  const part = schemas.length > NAMED_SCHEMAS ? `${schemas.length}-schemas` : schemas.join('-')
  return `${slug(project).slice(0, 60)}-${slug(part).slice(0, 60)}.svg`
}
