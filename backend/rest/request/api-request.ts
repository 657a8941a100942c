// What a REST request asks for, independent of the schema.
// Source: https://docs.postgrest.org/en/v14/references/api.html

export interface ApiRequest {
  /** In capitals. */
  readonly method: string
  /** Without the prefix `/rest/v1`; starts with a slash. */
  readonly path: string
  readonly action: Action
  readonly schema: string
  /** Whether responses name the schema, because several are served or the request named one. */
  readonly namesSchema: boolean
  readonly query: Query
  readonly prefer: Preferences
  /** In the order of preference, by the quality of `Accept`; contains one at least. */
  readonly accept: readonly MediaType[]
  readonly contentType: MediaType
  /** Absent for reads, and for calls without a body. */
  readonly payload: Payload | undefined
  /** Keys of the payload, or the parameter `columns`; in alphabetical order, each once. */
  readonly columns: readonly string[]
  /** Rows of the resource itself, from `limit`, `offset` and the header `Range`. */
  readonly range: Range
  /** Names in lower case, without `cookie`. */
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: Readonly<Record<string, string>>
}

export type Action =
  | { readonly kind: 'read'; readonly table: string; readonly isHead: boolean }
  | { readonly kind: 'insert' | 'update' | 'upsert' | 'delete'; readonly table: string }
  | { readonly kind: 'call'; readonly function: string; readonly via: 'GET' | 'HEAD' | 'POST' }
  | { readonly kind: 'root'; readonly isHead: boolean }
  | {
      readonly kind: 'options'
      readonly of: { readonly table: string } | { readonly function: string } | 'root'
    }

export interface Query {
  /** Empty if the parameter is absent or empty: then all columns. */
  readonly select: readonly SelectItem[]
  readonly filters: readonly At<Filter>[]
  /** The parameters `and`, `or` and their negations. */
  readonly logic: readonly At<LogicTree>[]
  readonly order: readonly At<readonly OrderTerm[]>[]
  /** Ranges of embedded resources, and of the resource itself without the header `Range`. */
  readonly ranges: readonly At<Range>[]
  readonly onConflict: readonly string[] | undefined
  /** Of a call by GET or HEAD: parameters that are no filters, in their order; a name may occur several times. */
  readonly arguments: readonly (readonly [name: string, value: string])[]
  /** All parameters, sorted by name, encoded again, the values of a name joined by commas: for `Content-Location`. */
  readonly canonical: string
}

/** A value for an embedded resource; the path of the resource itself is empty. */
export interface At<T> {
  readonly path: readonly string[]
  readonly value: T
}

/** Numbers beyond `bigint` are 2^63, so that the database refuses them. Those of embedded resources may be negative. */
export interface Range {
  readonly offset: number
  /** Number of rows; undefined: all. */
  readonly limit: number | undefined
}

export type SelectItem = SelectColumn | SelectEmbed

export interface SelectColumn {
  readonly kind: 'column'
  /** `*` for all; for `count()`, `*` too. */
  readonly field: Field
  readonly alias: string | undefined
  /** A name of a type, checked to be one: letters, digits, underscores, spaces, dollars. */
  readonly castType: string | undefined
  readonly aggregate: Aggregate | undefined
  readonly aggregateCast: string | undefined
}

export type Aggregate = 'sum' | 'avg' | 'max' | 'min' | 'count'

export interface SelectEmbed {
  readonly kind: 'embed'
  /** Name of a table, view, column, constraint or function. */
  readonly relation: string
  readonly alias: string | undefined
  readonly hint: string | undefined
  readonly join: 'inner' | 'left' | undefined
  readonly isSpread: boolean
  /** Empty for `relation()`: nothing of it is returned. */
  readonly select: readonly SelectItem[]
}

export interface Field {
  readonly name: string
  readonly jsonPath: readonly JsonStep[]
}

export interface JsonStep {
  readonly arrow: '->' | '->>'
  readonly key: { readonly name: string } | { readonly index: string }
}

export interface Filter {
  readonly field: Field
  readonly isNegated: boolean
  readonly operation: Operation
}

export type Operation =
  | {
      readonly kind: 'compare'
      readonly operator: 'eq' | 'gte' | 'gt' | 'lte' | 'lt' | 'like' | 'ilike' | 'match' | 'imatch'
      readonly quantifier: 'any' | 'all' | undefined
      readonly value: string
    }
  | {
      readonly kind: 'simple'
      readonly operator: 'neq' | 'cs' | 'cd' | 'ov' | 'sl' | 'sr' | 'nxr' | 'nxl' | 'adj'
      readonly value: string
    }
  | { readonly kind: 'in'; readonly values: readonly string[] }
  | { readonly kind: 'is'; readonly value: 'null' | 'not_null' | 'true' | 'false' | 'unknown' }
  | { readonly kind: 'isdistinct'; readonly value: string }
  | {
      readonly kind: 'fts'
      readonly operator: 'fts' | 'plfts' | 'phfts' | 'wfts'
      readonly language: string | undefined
      readonly value: string
    }

export type LogicTree =
  | {
      readonly kind: 'logic'
      readonly isNegated: boolean
      readonly operator: 'and' | 'or'
      readonly parts: readonly LogicTree[]
    }
  | { readonly kind: 'filter'; readonly filter: Filter }

export interface OrderTerm {
  /** Of an embedded resource to one, `relation(field)`. */
  readonly relation: string | undefined
  readonly field: Field
  readonly direction: 'asc' | 'desc' | undefined
  readonly nulls: 'first' | 'last' | undefined
}

/** The header `Prefer`, with the values that are known. */
export interface Preferences {
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | undefined
  readonly return: 'representation' | 'headers-only' | 'minimal' | undefined
  readonly count: 'exact' | 'planned' | 'estimated' | undefined
  readonly tx: 'commit' | 'rollback' | undefined
  readonly missing: 'default' | 'null' | undefined
  readonly handling: 'strict' | 'lenient' | undefined
  readonly timezone: string | undefined
  readonly maxAffected: number | undefined
  /** As sent: what is not known. Time zones are not checked. */
  readonly unknown: readonly string[]
}

export type MediaType =
  | { readonly kind: 'any' }
  | { readonly kind: 'json' | 'geojson' | 'csv' | 'text' | 'xml' | 'openapi' | 'form' | 'bytes' }
  | { readonly kind: 'array'; readonly stripsNulls: true }
  | { readonly kind: 'object'; readonly stripsNulls: boolean }
  | {
      readonly kind: 'plan'
      readonly of: MediaType
      readonly format: 'text' | 'json'
      readonly options: readonly ('analyze' | 'verbose' | 'settings' | 'buffers' | 'wal')[]
    }
  /** As sent, with its parameters; of `Accept`, without spaces and quality. */
  | { readonly kind: 'other'; readonly name: string }

export type Payload =
  | { readonly kind: 'json'; readonly text: string; readonly isObject: boolean }
  /** A form: names and values in their order. */
  | { readonly kind: 'form'; readonly fields: readonly (readonly [name: string, value: string])[] }
  /** Of a call with a single unnamed parameter. */
  | { readonly kind: 'raw'; readonly bytes: Uint8Array }
