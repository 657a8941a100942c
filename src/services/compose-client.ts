// The whole client system put together from its ports, for recordings, replays, drawings and tests.
import * as declared from '../machines/ports.ts'
import { composeCore, type ClientPorts } from './compose-core.ts'
import { composeRealtime } from './realtime/compose-realtime.ts'
import { composeUploads } from './uploads/compose-uploads.ts'

export type { ClientPorts }

/** Ports that do nothing but fail: enough to replay, draw and type-check. */
export const declaredPorts: ClientPorts = declared

/** Name under which the client's traces are known. */
export const CLIENT_SYSTEM = 'chartroom'

/** Every machine with its ports, by id; the parts of one are the same objects as those of its parent. */
export function composeMachines(ports: ClientPorts) {
  const core = composeCore(ports)
  const { realtime, connection, channel } = composeRealtime(ports)
  const { uploads, upload } = composeUploads(ports)
  const client = core.client.provide({ actors: { realtime, uploads } })
  return { ...core, client, realtime, connection, channel, uploads, upload }
}

export const composeClient = (ports: ClientPorts) => composeMachines(ports).client
