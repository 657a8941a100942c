// Composes the complete client system from its ports, for recordings, replays, charts and tests.
import { CHART_LABELS } from './chart-labels.ts'
import { addChartLabels } from '../runtime/index.ts'
import * as declared from '../../machines/ports.ts'
import { composeCore, type ClientPorts } from './compose-core.ts'
import { composeRealtime } from './realtime/compose-realtime.ts'
import { composeUploads } from './uploads/compose-uploads.ts'

export type { ClientPorts }

/** Ports that always fail: enough to replay, chart and type-check. */
export const declaredPorts: ClientPorts = declared

/** System name in the client's traces. */
export const CLIENT_SYSTEM = 'chartroom'

/** Every machine with its ports, by id. Child machines are the same objects as those in their parents. */
export function composeMachines(ports: ClientPorts) {
  addChartLabels(CHART_LABELS)
  const core = composeCore(ports)
  const { realtime, connection, channel } = composeRealtime(ports)
  const { uploads, upload } = composeUploads(ports)
  const client = core.client.provide({ actors: { realtime, uploads } })
  return { ...core, client, realtime, connection, channel, uploads, upload }
}

export const composeClient = (ports: ClientPorts) => composeMachines(ports).client
