// Types and comments of the database in the terms of OpenAPI. Members that are undefined are left out of the JSON.

type SwaggerType = 'array' | 'boolean' | 'integer' | 'number' | 'string'

const TYPES: ReadonlyMap<string, SwaggerType | undefined> = new Map([
  ['boolean', 'boolean'],
  ['smallint', 'integer'],
  ['integer', 'integer'],
  ['bigint', 'integer'],
  ['numeric', 'number'],
  ['real', 'number'],
  ['double precision', 'number'],
  ['json', undefined],
  ['jsonb', undefined],
])

/** Undefined: any. */
export function swaggerType(type: string): SwaggerType | undefined {
  if (TYPES.has(type)) return TYPES.get(type)
  return type.endsWith('[]') ? 'array' : 'string'
}

const FORMATS = new Map([
  ['smallint', 'int32'],
  ['integer', 'int32'],
  ['bigint', 'int64'],
])

export const swaggerFormat = (type: string): string => FORMATS.get(type) ?? type

export const elementOf = (array: string): string => array.slice(0, -2)

/** The schema of a column or of a parameter in a body. */
export function schemaOf(type: string): Record<string, unknown> {
  const swagger = swaggerType(type)
  const items = swagger === 'array' ? { type: swaggerType(elementOf(type)) } : undefined
  return { format: swaggerFormat(type), type: swagger, items }
}

export const nonEmpty = <Item>(list: readonly Item[]): readonly Item[] | undefined =>
  list.length === 0 ? undefined : list

/** The first line, and the others without the empty ones before them. */
export function splitComment(comment: string): { readonly summary: string; readonly description: string } {
  const [, summary = '', description = ''] = /^(.*?)(?:\n+(.*))?$/s.exec(comment) ?? []
  return { summary, description }
}

/** An operation's texts. */
export function operationTexts(comment: string | undefined): Record<string, string | undefined> {
  if (comment === undefined) return {}
  const { summary, description } = splitComment(comment)
  return { summary, description: description || undefined }
}

export const JSON_TYPES = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
]
