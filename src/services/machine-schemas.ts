// The schemas of events that a machine brings along, `setup({ schemas: { events } })`, or that are given with it.
import type { AnyStateMachine } from 'xstate'
import type { MachineChart } from '../trace/format.ts'
import type { EventSchemas, PayloadSchema } from '../trace/payload-schema.ts'

/**
 * What events carry, for the console's forms: by id of the machine and type of the event, as JSON Schema or as a
 * Standard Schema that can tell itself as JSON Schema (`~standard.jsonSchema`). Machines of the same system may each
 * have theirs. The schemas come with the recording, as plain data; they guard nothing.
 */
export type GivenSchemas = Readonly<Record<string, Readonly<Record<string, object>>>>

type Charts = Readonly<Record<string, MachineChart>>

/** Schemas are told with a chart; no more of them than this, in characters of JSON. */
const LARGEST = 100_000

/**
 * By type of the event, each as JSON Schema or as a Standard Schema that can say itself as JSON Schema. Undefined
 * where the machine brings none.
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

/**
 * The charts with what was given of their machines' events, which takes the place of what a machine brings.
 * @throws TypeError for a machine that is not there, and a schema that can't be told
 */
export function withSchemas(charts: Charts, given: GivenSchemas): Charts {
  const told = Object.entries(given).map(([id, schemas]) => {
    const chart = charts[id]
    if (!chart) {
      const known = Object.keys(charts).map(one => `“${one}”`)
      const those = known.length === 0 ? 'None is known.' : `Known are ${known.join(', ')}.`
      throw new TypeError(`schemas: there is no machine “${id}” in this system. ${those}`)
    }
    return [id, withEvents(chart, givenOf(id, schemas))] as const
  })
  return { ...charts, ...Object.fromEntries(told) }
}

function givenOf(id: string, schemas: Readonly<Record<string, object>>): EventSchemas {
  const told = Object.entries(schemas).map(([type, schema]) => {
    const plain = jsonSchemaOf(schema)
    if (plain) return [type, plain] as const
    throw new TypeError(
      `schemas: that of “${type}” of “${id}” can’t be told. Give it as JSON Schema of an object, or as a Standard Schema that has \`~standard.jsonSchema\`.`,
    )
  })
  const size = JSON.stringify(told).length
  if (size > LARGEST)
    throw new TypeError(
      `schemas: those of “${id}” are ${size} characters of JSON; at most ${LARGEST} are kept.`,
    )
  return Object.fromEntries(told)
}

/** The charts of a system that is replayed, with what its recording says of their machines' events. */
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

const memberOf = (of: unknown, key: string): unknown =>
  (typeof of === 'object' || typeof of === 'function') && of !== null && key in of
    ? (of as Readonly<Record<string, unknown>>)[key]
    : undefined

/** What `~standard.jsonSchema.input` says, or the schema itself where it is plain data. */
function jsonSchemaOf(schema: unknown): PayloadSchema | undefined {
  try {
    const teller = memberOf(memberOf(schema, '~standard'), 'jsonSchema')
    const input = memberOf(teller, 'input')
    const told: unknown =
      typeof input === 'function' ? Reflect.apply(input, teller, [{ target: 'draft-2020-12' }]) : schema
    if (typeof told !== 'object' || told === null || !('type' in told || 'anyOf' in told)) return undefined
    return withoutType(JSON.parse(JSON.stringify(told)) as PayloadSchema)
  } catch {
    // A schema that can't be told is none.
    return undefined
  }
}

/** The type of the event is known already. */
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
