// The paths, parameters and definitions of tables and views.
import type { Column, KeyRelationship, Relationship, SchemaCache, Table } from '../schema/index.ts'
import type { TableAccess } from './access.ts'
import { nonEmpty, operationTexts, schemaOf, swaggerType } from './types.ts'

type Members = Record<string, unknown>

const ref = (name: string) => ({ $ref: `#/parameters/${name}` })
const READING = ['select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount'].map(ref)

export function describePath({ name, comment, columns, ...table }: Table): Members {
  const operation = { tags: [name], ...operationTexts(comment) }
  const filters = [...columns.keys()].map(column => ref(`rowFilter.${name}.${column}`))
  const rows = { type: 'array', items: { $ref: `#/definitions/${name}` } }
  const answers = (status: number, description: string) => ({ [status]: { description } })
  const get = {
    ...operation,
    parameters: [...filters, ...READING],
    responses: { 200: { description: 'OK', schema: rows }, ...answers(206, 'Partial Content') },
  }
  if (!table.isInsertable && !table.isUpdatable && !table.isDeletable) return { get }
  const [body, returning] = [ref(`body.${name}`), ref('preferReturn')]
  return {
    get,
    post: {
      ...operation,
      parameters: [body, ref('select'), ref('preferPost')],
      responses: answers(201, 'Created'),
    },
    patch: { ...operation, parameters: [...filters, body, returning], responses: answers(204, 'No Content') },
    delete: { ...operation, parameters: [...filters, returning], responses: answers(204, 'No Content') },
  }
}

const inQuery = (name: string, description: string | undefined) => ({
  name,
  description,
  required: false,
  in: 'query',
  type: 'string',
})
const inHeader = (name: string, description: string) => ({ ...inQuery(name, description), in: 'header' })
const prefer = (...values: readonly string[]) => ({
  ...inHeader('Prefer', 'Preference'),
  enum: nonEmpty(values),
})
const RETURNS = ['return=representation', 'return=minimal', 'return=none']
const PAGES = 'Limiting and Pagination'

/** Parameters that are the same for all tables. */
export const COMMON_PARAMETERS: Members = {
  preferParams: prefer(),
  preferReturn: prefer(...RETURNS),
  preferCount: prefer('count=none'),
  preferPost: prefer(...RETURNS, 'resolution=ignore-duplicates', 'resolution=merge-duplicates'),
  select: inQuery('select', 'Filtering Columns'),
  on_conflict: inQuery('on_conflict', 'On Conflict'),
  order: inQuery('order', 'Ordering'),
  range: inHeader('Range', PAGES),
  rangeUnit: { ...inHeader('Range-Unit', PAGES), default: 'items' },
  offset: inQuery('offset', PAGES),
  limit: inQuery('limit', PAGES),
}

export const parametersOf = ({
  name,
  columns,
}: Table): readonly (readonly [name: string, parameter: Members])[] => [
  [
    `body.${name}`,
    { name, description: name, required: false, in: 'body', schema: { $ref: `#/definitions/${name}` } },
  ],
  ...Array.from(
    columns.values(),
    column => [`rowFilter.${name}.${column.name}`, inQuery(column.name, column.comment)] as const,
  ),
]

export function describeTable(cache: SchemaCache, table: Table, access: TableAccess): Members {
  const columns = [...table.columns.values()]
  const all = referencesOf(cache, table)
  const references = all.filter(({ to, columns: { length } }) => to.schema === table.schema && length === 1)
  return {
    description: table.comment,
    required: nonEmpty(columns.filter(column => !column.isNullable).map(column => column.name)),
    properties:
      nonEmpty(columns) &&
      Object.fromEntries(columns.map(column => [column.name, describeColumn(column, table, references)])),
    type: 'object',
    'x-chartroom': {
      kind: table.kind,
      keys: nonEmpty(describeKeys(table, all)),
      ...describeOwn(table, access),
    },
  }
}

/** The foreign keys of a table to tables and views of all served schemas; tables come first. */
const referencesOf = (cache: SchemaCache, table: Table): readonly KeyRelationship[] =>
  cache.settings.schemas
    .flatMap(schema => cache.relationships(table, schema))
    .filter(isReference)
    .toSorted((one, b) => Number(one.toIsView) - Number(b.toIsView))

/** Each key once: of the views that show the other table, only where the table itself is not served. */
const describeKeys = (table: Table, references: readonly KeyRelationship[]): readonly Members[] => {
  const byName = new Map<string, KeyRelationship>()
  for (const one of references) if (!byName.has(one.constraint)) byName.set(one.constraint, one)
  return [...byName.values()].map(({ constraint, to, columns }) => ({
    name: constraint,
    columns: columns.map(([columnName]) => columnName),
    table: to.name,
    schema: to.schema === table.schema ? undefined : to.schema,
    references: columns.map(([, theirs]) => theirs),
  }))
}

const isReference = (relationship: Relationship): relationship is KeyRelationship =>
  relationship.kind === 'key' &&
  (relationship.cardinality === 'many-to-one' ||
    (relationship.cardinality === 'one-to-one' && !relationship.isParent))

function describeColumn(
  column: Column,
  { primaryKey }: Table,
  references: readonly KeyRelationship[],
): Members {
  const { name, comment, baseType, enumValues, maxLength } = column
  const reference = references.find(({ columns: [pair] }) => pair?.[0] === name)
  const [table, to] = [reference?.to.name, reference?.columns[0]?.[1]]
  const notes = [
    primaryKey.includes(name) ? 'This is a Primary Key.<pk/>' : undefined,
    reference && `This is a Foreign Key to \`${table}.${to}\`.<fk table='${table}' column='${to}'/>`,
  ].filter(note => note !== undefined)
  const note = notes.length === 0 ? undefined : ['Note:', ...notes].join('\n')
  return {
    default: defaultOf(column),
    description: [comment, note].filter(text => text !== undefined).join('\n\n') || undefined,
    enum: nonEmpty(enumValues),
    maxLength,
    ...schemaOf(baseType),
  }
}

/** As PostgREST describes defaults: literals, and expressions of types that JSON writes as strings. */
function defaultOf({ default: expression, baseType }: Column): unknown {
  if (expression === undefined) return undefined
  const castSuffix = `::${baseType}`
  const text = expression.endsWith(castSuffix)
    ? withoutQuotes(expression.slice(0, -castSuffix.length))
    : expression
  try {
    return JSON.parse(swaggerType(baseType) === 'string' ? `"${text}"` : expression)
  } catch {
    return undefined
  }
}

function withoutQuotes(text: string): string {
  let [from, to] = [0, text.length]
  while (text[from] === "'") from += 1
  while (to > from && text[to - 1] === "'") to -= 1
  return text.slice(from, to)
}

/** Literals lose their quotes and cast; expressions stay SQL. */
const plainDefault = (expression: string): string =>
  /^'((?:[^']|'')*)'(?:::[\w\s".[\]]+)?$/.exec(expression)?.[1]?.replaceAll("''", "'") ?? expression

const NO_ACCESS = { canSelect: false, canInsert: false, canUpdate: false, isUpdatable: true }

/**
 * What PostgREST's description lacks, next to the kind and the foreign keys: columns that the database generates, the other defaults, what the role may do with
 * the table, and privileges that it has on other columns, or for reading, on none. Its presence says that all are complete.
 */
function describeOwn(table: Table, { canDelete, hasTriggers, columns }: TableAccess): Members {
  const all = Array.from(table.columns.values(), column => ({
    ...column,
    ...(columns.get(column.name) ?? NO_ACCESS),
  }))
  const pick = (valueOf: (column: (typeof all)[number]) => unknown): Members =>
    Object.fromEntries(all.map(column => [column.name, valueOf(column)]))
  const rights = {
    insert: table.isInsertable && all.some(({ canInsert }) => canInsert),
    update: table.isUpdatable && all.some(({ canUpdate }) => canUpdate),
    delete: table.isDeletable && canDelete,
  }
  return {
    rights,
    hasTriggers: hasTriggers || undefined,
    generated: pick(({ generated, isUpdatable }) =>
      table.isView && table.isUpdatable && !isUpdatable ? 'expression' : generated,
    ),
    defaults: pick(column =>
      column.default !== undefined && defaultOf(column) === undefined
        ? plainDefault(column.default)
        : undefined,
    ),
    denied: pick(({ canSelect, canInsert, canUpdate }) =>
      nonEmpty([
        ...(canSelect ? [] : ['select']),
        ...(rights.insert && !canInsert ? ['insert'] : []),
        ...(rights.update && !canUpdate ? ['update'] : []),
      ]),
    ),
  }
}
