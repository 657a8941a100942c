// Event schemas that are passed with machines or stored in a recording. A separate module, because recordings of
// Chartroom's own machines have none.
import type { EventSchemas, MachineChart } from '../../trace/index.ts'
import { jsonSchemaOf, LARGEST } from './event-schemas.ts'

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
