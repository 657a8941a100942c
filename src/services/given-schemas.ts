// Schemas of events that are given with machines, or that a recording holds of them.
import type { MachineChart } from '../trace/format.ts'
import type { EventSchemas } from '../trace/payload-schema.ts'
import { jsonSchemaOf, LARGEST } from './machine-schemas.ts'

/**
 * What events carry, for the console's forms: by id of the machine and type of the event, as JSON Schema or as a
 * Standard Schema that can tell itself as JSON Schema (`~standard.jsonSchema`). Machines of the same system may each
 * have theirs. The schemas come with the recording, as plain data; they guard nothing.
 */
export type GivenSchemas = Readonly<Record<string, Readonly<Record<string, object>>>>

type Charts = Readonly<Record<string, MachineChart>>

/**
 * The charts with what was given of their machines' events, which takes the place of what a machine brings.
 * @throws TypeError for a machine that is not there, and a schema that can't be told
 */
function withSchemas(charts: Charts, given: GivenSchemas): Charts {
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

/** What `withSchemas` does, where there are any. */
export const describeWith = (schemas: GivenSchemas | undefined) =>
  schemas && ((charts: Charts) => withSchemas(charts, schemas))

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
