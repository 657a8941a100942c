// Form fields for a payload schema, and the payload they produce.
import type { PayloadSchema } from '../../../trace/index.ts'
import { valueOf, type PayloadField } from '../drive/payload.ts'

type Example = Readonly<Record<string, unknown>>
type Value = NonNullable<PayloadSchema['enum']>[number]

/** Deeper values become one JSON field. */
const DEEPEST = 3

/** Returns the fields of a schema, with paths for nested objects; prefilled from the latest example. */
export function schemaFields(schema: PayloadSchema, example: Example | undefined): readonly PayloadField[] {
  return objectFields(oneShape(schema), { path: [], example, optional: [] })
}

/** Merges several shapes into one that accepts them all. */
function oneShape(schema: PayloadSchema): PayloadSchema {
  const shapes = schema.anyOf ?? [schema]
  const required = shapes.map(shape => new Set(shape.required ?? []))
  const [first = new Set<string>(), ...more] = required
  return {
    type: 'object',
    properties: Object.assign({}, ...shapes.toReversed().map(({ properties = {} }) => properties)) as Record<
      string,
      PayloadSchema
    >,
    required: [...first].filter(key => more.every(others => others.has(key))),
  }
}

interface Place {
  readonly path: readonly string[]
  readonly example: unknown
  /** Keys of the enclosing objects that may be omitted. */
  readonly optional: readonly string[]
}

function objectFields(
  { properties = {}, required = [] }: PayloadSchema,
  place: Place,
): readonly PayloadField[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const path = [...place.path, key]
    const isOptional = !required.includes(key)
    const example = memberOf(place.example, key)
    const optional = isOptional ? [...place.optional, path.join('.')] : place.optional
    const isNested = schema.type === 'object' && schema.properties !== undefined && path.length < DEEPEST
    if (isNested) return objectFields(schema, { path, example, optional })
    return [fieldOf(schema, { path, example, optional: place.optional }, isOptional)]
  })
}

const memberOf = (of: unknown, key: string): unknown =>
  typeof of === 'object' && of !== null ? (of as Example)[key] : undefined

function fieldOf(
  schema: PayloadSchema,
  { path, example, optional }: Place,
  isOptional: boolean,
): PayloadField {
  const values = valuesOf(schema)
  const mayBeEmpty = isOptional || optional.length > 0
  const options = values?.map(String) ?? []
  const type = values ? 'choice' : typeOf(schema)
  const start = mayBeEmpty ? '' : (options[0] ?? (type === 'json' ? skeleton(schema) : ''))
  return {
    key: path.join('.'),
    path,
    within: optional,
    type,
    isOptional,
    options: values && mayBeEmpty ? ['', ...options] : options,
    ...(values && { values: mayBeEmpty ? [undefined, ...values] : values }),
    example: example === undefined ? start : asText(example),
    ...(schema.format !== undefined && { format: schema.format }),
    ...(schema.type === 'integer' && { format: 'integer' }),
    ...(schema.description !== undefined && { description: schema.description }),
  }
}

function valuesOf(schema: PayloadSchema): readonly Value[] | undefined {
  return schema.type === 'boolean' ? [true, false] : schema.enum
}

function typeOf({ type }: PayloadSchema): PayloadField['type'] {
  if (type === 'number' || type === 'integer') return 'number'
  return type === 'string' ? 'text' : 'json'
}

/** Returns a value of that shape to start from. */
function skeleton(schema: PayloadSchema): string {
  const of = ({ type, anyOf, enum: values, properties = {}, required = [] }: PayloadSchema): unknown => {
    if (values) return values[0]
    if (anyOf) return of(anyOf[0] ?? {})
    if (type === 'object') return Object.fromEntries(required.map(key => [key, of(properties[key] ?? {})]))
    return { string: '', number: 0, integer: 0, boolean: false, array: [], null: null, none: {} }[
      type ?? 'none'
    ]
  }
  return JSON.stringify(of(schema))
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? '')

/** Returns the payload of the fields, or errors by key. */
export function payloadOf(
  fields: readonly PayloadField[],
  textOf: (field: PayloadField) => string,
): { readonly payload: object } | { readonly errors: Readonly<Record<string, string>> } {
  const filled = fields.filter(field => textOf(field) !== '').map(({ key }) => key)
  const isWanted = (object: string) => filled.some(key => key.startsWith(`${object}.`))
  const errors: Record<string, string> = {}
  const payload: Record<string, unknown> = {}
  for (const field of fields) {
    if (!(field.within ?? []).every(isWanted)) continue
    const read = valueOf(field, textOf(field))
    if ('error' in read) errors[field.key] = read.error
    else if (read.value !== undefined) put(payload, field.path ?? [field.key], read.value)
  }
  return Object.keys(errors).length > 0 ? { errors } : { payload }
}

function put(into: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) into[key] = value
  else put((into[key] ??= {}) as Record<string, unknown>, rest, value)
}
