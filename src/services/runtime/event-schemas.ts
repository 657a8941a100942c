// Event schemas that a machine provides: `setup({ schemas: { events } })`.
import type { EventSchemas, PayloadSchema } from '../../trace/index.ts'
import type { AnyStateMachine } from 'xstate'

/** Maximum size of the schemas in a chart, in characters of JSON. */
export const LARGEST = 100_000

/**
 * Returns schemas by event type, from JSON Schema or a Standard Schema that exports JSON Schema. Undefined if
 * the machine provides none.
 */
export function machineSchemas(machine: AnyStateMachine): EventSchemas | undefined {
  const schemas = memberOf(memberOf(machine, 'schemas'), 'events')
  if (typeof schemas !== 'object' || schemas === null) return undefined
  const found = Object.entries(schemas).flatMap(([type, schema]) => {
    const plain = jsonSchemaOf(schema)
    return plain ? [[type, plain] as const] : []
  })
  if (found.length === 0 || JSON.stringify(found).length > LARGEST) return undefined
  return Object.fromEntries(found)
}

const memberOf = (of: unknown, key: string): unknown =>
  (typeof of === 'object' || typeof of === 'function') && of !== null && key in of
    ? (of as Readonly<Record<string, unknown>>)[key]
    : undefined

/** Returns the result of `~standard.jsonSchema.input`, or the schema itself if it is plain data. */
export function jsonSchemaOf(schema: unknown): PayloadSchema | undefined {
  try {
    const teller = memberOf(memberOf(schema, '~standard'), 'jsonSchema')
    const input = memberOf(teller, 'input')
    const description: unknown =
      typeof input === 'function' ? Reflect.apply(input, teller, [{ target: 'draft-2020-12' }]) : schema
    if (
      typeof description !== 'object' ||
      description === null ||
      !('type' in description || 'anyOf' in description)
    )
      return undefined
    return withoutType(JSON.parse(JSON.stringify(description)) as PayloadSchema)
  } catch {
    // A schema that cannot be exported is ignored.
    return undefined
  }
}

/** The event type is already known. */
function withoutType(schema: PayloadSchema): PayloadSchema {
  const { properties, required, anyOf } = schema
  if (anyOf) return { ...schema, anyOf: anyOf.map(withoutType) }
  if (!properties) return schema
  const { type: _, ...rest } = properties
  return {
    ...schema,
    properties: rest,
    ...(required && { required: required.filter(key => key !== 'type') }),
  }
}
