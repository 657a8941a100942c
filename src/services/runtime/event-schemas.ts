// Event schemas: passed with machines, provided by a machine (`setup({ schemas: { events } })`), or stored in a
// recording.
import type { EventSchemas, MachineChart, PayloadSchema } from '../../trace/index.ts'
import type { AnyStateMachine } from 'xstate'

/**
 * Event schemas for the console's forms, by machine id and event type, as JSON Schema or as a Standard Schema
 * that exports JSON Schema (`~standard.jsonSchema`). Machines of one system may also provide their own. The
 * schemas are saved in the recording as plain data and validate nothing.
 */
export type GivenSchemas = Readonly<Record<string, Readonly<Record<string, object>>>>

type Charts = Readonly<Record<string, MachineChart>>

/**
 * Adds schemas to the charts; they replace those from the machines.
 * @throws TypeError for an unknown machine, or a schema without a JSON Schema form
 */
function withSchemas(charts: Charts, given: GivenSchemas): Charts {
  const told = Object.entries(given).map(([id, schemas]) => {
    const chart = charts[id]
    if (!chart) {
      const known = Object.keys(charts).map(one => `“${one}”`)
      const those = known.length === 0 ? 'No machines are known.' : `Known machines: ${known.join(', ')}.`
      throw new TypeError(`schemas: no machine “${id}” in this system. ${those}`)
    }
    return [id, withEvents(chart, givenOf(id, schemas))] as const
  })
  return { ...charts, ...Object.fromEntries(told) }
}

/** Returns `withSchemas` for these schemas, or undefined without schemas. */
export const describeWith = (schemas: GivenSchemas | undefined) =>
  schemas && ((charts: Charts) => withSchemas(charts, schemas))

function givenOf(id: string, schemas: Readonly<Record<string, object>>): EventSchemas {
  const payloads = Object.entries(schemas).map(([type, schema]) => {
    const plain = jsonSchemaOf(schema)
    if (plain) return [type, plain] as const
    throw new TypeError(
      `schemas: the schema of “${type}” of “${id}” cannot be exported. Pass a JSON Schema of an object, or a Standard Schema with \`~standard.jsonSchema\`.`,
    )
  })
  const size = JSON.stringify(payloads).length
  if (size > LARGEST)
    throw new TypeError(
      `schemas: the schemas of “${id}” have ${size} characters of JSON; the maximum is ${LARGEST}.`,
    )
  return Object.fromEntries(payloads)
}

/** Returns the charts of a replayed system with the event schemas from its recording. */
export function schemasKept(charts: Charts, recorded: Charts): Charts {
  const kept = Object.entries(charts).map(([id, chart]) => {
    const events = recorded[id]?.events
    return [id, events ? withEvents(chart, events) : chart] as const
  })
  return Object.fromEntries(kept)
}

const withEvents = (chart: MachineChart, events: EventSchemas): MachineChart => ({
  ...chart,
  events: { ...chart.events, ...events },
})

/** Maximum size of the schemas in a chart, in characters of JSON. */
const LARGEST = 100_000

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
function jsonSchemaOf(schema: unknown): PayloadSchema | undefined {
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
