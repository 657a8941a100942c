// What a review knows of a backend before it starts: tables with their columns, policies, functions and buckets.
import {
  array,
  boolean,
  fallback,
  type InferOutput,
  literal,
  nullable,
  nullish,
  object,
  picklist,
  record,
  safeParse,
  string,
  unknown,
} from 'valibot'

const column = object({
  name: string(),
  /** The database's name of the type. */
  type: string(),
  required: boolean(),
  hasDefault: boolean(),
  /** The database generates the values and refuses others. */
  made: boolean(),
  isKey: boolean(),
  options: nullish(array(string())),
  /** The column of another table that it references. */
  references: nullish(object({ schema: string(), table: string(), column: string() })),
})

const table = object({
  schema: string(),
  name: string(),
  kind: picklist(['table', 'view', 'materialized view', 'foreign table', 'unknown']),
  /** Undefined if the source does not describe it. */
  rowSecurity: nullish(boolean()),
  /** Whether any grant names columns; undefined if the source does not describe it. */
  columnGrants: nullish(boolean()),
  /** Of a view: runs with the caller's rights. */
  invoker: nullish(boolean()),
  columns: nullable(array(column)),
})

const policy = object({
  schema: string(),
  table: string(),
  name: string(),
  command: picklist(['all', 'select', 'insert', 'update', 'delete']),
  permissive: boolean(),
  roles: array(string()),
  using: nullable(string()),
  check: nullable(string()),
})

const func = object({
  schema: string(),
  name: string(),
  /** Undefined if the source does not describe it. */
  definer: nullish(boolean()),
  isVolatile: boolean(),
  args: array(object({ name: string(), type: string(), hasDefault: boolean() })),
})

const bucket = object({ id: string(), public: boolean() })

const catalog = object({
  format: literal('chartroom-access-catalog'),
  version: literal(1),
  tables: array(table),
  policies: array(policy),
  functions: array(func),
  buckets: array(bucket),
})

export type CatalogColumn = InferOutput<typeof column>
export interface CatalogTable extends Omit<InferOutput<typeof table>, 'columns'> {
  readonly columns: readonly CatalogColumn[]
}
export type CatalogPolicy = InferOutput<typeof policy>
export type CatalogFunction = InferOutput<typeof func>
export type CatalogBucket = InferOutput<typeof bucket>

export interface Catalog {
  readonly tables: readonly CatalogTable[]
  /** Undefined if the source does not list them. */
  readonly policies: readonly CatalogPolicy[] | undefined
  readonly functions: readonly CatalogFunction[]
  readonly buckets: readonly CatalogBucket[]
}

/** The name in reports: the schema is left out if it is `public`. */
export const nameIn = ({ schema, name }: { readonly schema: string; readonly name: string }): string =>
  schema === 'public' ? name : `${schema}.${name}`

/** Parses the response of `/_chartroom/access`; undefined if it is something else. */
export function readCatalog(value: unknown): Catalog | undefined {
  const parsed = safeParse(catalog, value)
  if (!parsed.success) return undefined
  const { tables, policies, functions, buckets } = parsed.output
  return {
    tables: tables.map(each => ({ ...each, columns: each.columns ?? [] })),
    policies,
    functions,
    buckets,
  }
}

const property = object({
  format: fallback(string(), 'text'),
  description: fallback(string(), ''),
  default: unknown(),
  enum: fallback(array(string()), []),
})

const document = object({
  definitions: record(
    string(),
    object({
      required: fallback(array(string()), []),
      properties: fallback(record(string(), unknown()), {}),
    }),
  ),
  paths: fallback(record(string(), unknown()), {}),
})

const call = object({
  parameters: array(
    object({
      in: literal('body'),
      schema: object({
        required: fallback(array(string()), []),
        properties: fallback(record(string(), unknown()), {}),
      }),
    }),
  ),
})

const FOREIGN_KEY = /<fk table='([^']+)' column='([^']+)'\/>/

/**
 * Reads tables and functions from PostgREST's description of a schema; undefined if it is none. It lists neither
 * policies nor buckets, and only columns that the describing role may read.
 */
export function catalogOfOpenApi(value: unknown, schema: string): Catalog | undefined {
  const parsed = safeParse(document, value)
  if (!parsed.success) return undefined
  const { definitions, paths } = parsed.output
  const tables = Object.entries(definitions).map(([name, { required, properties }]) => ({
    schema,
    name,
    kind: 'unknown' as const,
    rowSecurity: undefined,
    columnGrants: undefined,
    invoker: undefined,
    columns: Object.entries(properties).map(([columnName, described]) =>
      columnOf(columnName, described, { schema, isRequired: required.includes(columnName) }),
    ),
  }))
  const functions = Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith('/rpc/') ? [functionOf(path.slice(5), methods, schema)] : [],
  )
  return { tables, policies: undefined, functions, buckets: [] }
}

function columnOf(
  name: string,
  described: unknown,
  { schema, isRequired }: { readonly schema: string; readonly isRequired: boolean },
): CatalogColumn {
  const parsed = safeParse(property, described)
  const {
    format,
    description,
    enum: options,
    ...rest
  } = parsed.success ? parsed.output : { format: 'text', description: '', enum: [], default: undefined }
  const [, references, target] = FOREIGN_KEY.exec(description) ?? []
  const isKey = description.includes('<pk/>')
  return {
    name,
    type: format,
    required: isRequired,
    // PostgREST does not describe identity columns as having a default.
    hasDefault:
      rest.default !== undefined || (isKey && /^(?:big|small)?int/.test(format) && references === undefined),
    made: false,
    isKey,
    options: options.length > 0 ? options : undefined,
    references:
      references === undefined || target === undefined
        ? undefined
        : { schema, table: references, column: target },
  }
}

function functionOf(name: string, methods: unknown, schema: string): CatalogFunction {
  const { get, post } = { get: undefined, post: undefined, ...(methods as object | null) } as Record<
    string,
    unknown
  >
  const parsed = safeParse(call, post)
  const body = parsed.success ? parsed.output.parameters[0]?.schema : undefined
  const args = Object.entries(body?.properties ?? {}).map(([arg, described]) => {
    const read = safeParse(property, described)
    const type = read.success ? read.output.format : 'text'
    return { name: arg, type, hasDefault: !(body?.required ?? []).includes(arg) }
  })
  return { schema, name, definer: undefined, isVolatile: get === undefined, args }
}

/** Joins what several sources know, each of which describes one schema. */
export const joinCatalogs = (catalogs: readonly Catalog[]): Catalog => ({
  tables: catalogs.flatMap(({ tables }) => tables),
  policies: catalogs.some(({ policies }) => policies !== undefined)
    ? catalogs.flatMap(({ policies }) => policies ?? [])
    : undefined,
  functions: catalogs.flatMap(({ functions }) => functions),
  buckets: catalogs.flatMap(({ buckets }) => buckets),
})
