// Form fields of an event's payload, from its schema or from recorded examples, and the payload they produce.
import type {
  ChartState,
  MachineChart,
  StateValue,
  TraceSource,
  PayloadSchema,
} from '../../../trace/index.ts'

/** A field of a payload. */
export interface PayloadField {
  readonly key: string
  readonly type: 'text' | 'number' | 'choice' | 'json'
  /** Whether some examples lack it. */
  readonly isOptional: boolean
  /** The options of a choice. */
  readonly options: readonly string[]
  /** Value in the latest example, as text. */
  readonly example: string
  /** Path in the payload, if it is not under its key. */
  readonly path?: readonly string[]
  /** Keys of the surrounding objects that may be omitted. */
  readonly within?: readonly string[]
  /** Values of the options, if not true or false. */
  readonly values?: readonly unknown[]
  /** As in JSON Schema: `date-time`, `integer`. */
  readonly format?: string
  readonly description?: string
}

type Payload = Readonly<Record<string, unknown>>

/** Records to search for examples, from the end. */
const LOOK_BACK = 20_000
const ENOUGH = 8

/**
 * Returns the latest payloads of an event type, newest first; only those of this actor's kind, if there are
 * any.
 */
export function examplesOf({ steps, actors }: TraceSource, src: string, type: string): Payload[] {
  const own: Payload[] = []
  const others: Payload[] = []
  for (let at = steps.length - 1; at >= Math.max(0, steps.length - LOOK_BACK); at--) {
    const step = steps[at]
    if (step?.event.type !== type) continue
    const { type: _, ...payload } = step.event
    const found = actors[step.actor]?.src === src ? own : others
    if (found.length < ENOUGH) found.push(payload)
    if (own.length === ENOUGH) break
  }
  return own.length > 0 ? own : others
}

/** Returns the fields of the examples. */
export function fieldsOf(examples: readonly Payload[]): PayloadField[] {
  const keys = [...new Set(examples.flatMap(Object.keys))]
  return keys.map(key => {
    const values = examples.filter(one => Object.hasOwn(one, key)).map(one => one[key])
    const isOptional = values.length < examples.length
    return { key, isOptional, ...typeOfValues(values), example: asText(values[0]) }
  })
}

function typeOfValues(values: readonly unknown[]): Pick<PayloadField, 'type' | 'options'> {
  if (values.every(value => typeof value === 'boolean')) return { type: 'choice', options: ['true', 'false'] }
  if (values.every(value => typeof value === 'number')) return { type: 'number', options: [] }
  if (values.every(value => typeof value === 'string')) return { type: 'text', options: [] }
  return { type: 'json', options: [] }
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? '')

type Read = { readonly value: unknown } | { readonly error: string }

/** Returns the value typed into a field, or an error. */
export function valueOf({ type, isOptional, options, values, format }: PayloadField, text: string): Read {
  if (text === '' && isOptional) return { value: undefined }
  if (type === 'text') return readText(text, format)
  if (type === 'number') return readNumber(text, format)
  if (type === 'json') return parsed(text)
  if (!values) return { value: text === 'true' }
  const at = options.indexOf(text)
  return at < 0 || text === '' ? { error: 'Choose an option' } : { value: values[at] }
}

function readNumber(text: string, format: string | undefined): Read {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) return { error: 'Enter a number' }
  if (format === 'integer' && !Number.isInteger(number)) return { error: 'Enter a whole number' }
  return { value: number }
}

function readText(text: string, format: string | undefined): Read {
  const isDate = format === 'date' || format === 'date-time'
  if (!isDate || !Number.isNaN(Date.parse(text))) return { value: text }
  return {
    error: `Enter a ${format === 'date' ? 'date' : 'time'}, e.g. 2026-11-21${format === 'date' ? '' : 'T14:02:00Z'}`,
  }
}

/** Parses JSON; returns the value or an error. */
export function parsed(text: string): { readonly value: unknown } | { readonly error: string } {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { error: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** An event with its payload. */
export type TypedEvent = { readonly type: string } & Payload

export const isEvent = (event: unknown): event is TypedEvent =>
  typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string'

/** Returns the event types in a machine's chart, those handled in the current state first. */
export function eventTypes(
  chart: MachineChart,
  value: StateValue | undefined,
): { now: string[]; later: string[] } {
  const now = new Set<string>()
  const later = new Set<string>()
  const visit = (state: ChartState, inner: StateValue | undefined, isActive: boolean) => {
    for (const { event } of state.transitions) if (isSendable(event)) (isActive ? now : later).add(event)
    for (const child of state.states) {
      const isIn =
        isActive && (inner === child.key || (typeof inner === 'object' && Object.hasOwn(inner, child.key)))
      visit(child, typeof inner === 'object' ? inner[child.key] : undefined, isIn)
    }
  }
  visit(chart.root, value, true)
  return { now: [...now].sort(), later: [...later].filter(type => !now.has(type)).sort() }
}

/** Timer events and child results are sent automatically. */
const isSendable = (event: string): boolean => !/^(?:after |done\b|error |always$|snapshot )|\*/.test(event)

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
