// The whole client system put together from its ports, for recordings, replays, drawings and tests.
import * as declared from '../machines/ports.ts'
import { composeCore, type ClientPorts } from './compose-core.ts'
import { composeRealtime } from './realtime/compose-realtime.ts'
import type { SystemParts } from './system-parts.ts'

export type { ClientPorts }

/** Ports that do nothing but fail: enough to replay, draw and type-check. */
export const declaredPorts: ClientPorts = declared

/** Name under which the client's traces are known. */
export const CLIENT_SYSTEM = 'chartroom'

/** Every machine with its ports, by id; the parts of one are the same objects as those of its parent. */
export function composeMachines(ports: ClientPorts, parts: Pick<SystemParts, 'leaf'>) {
  const core = composeCore(ports, parts)
  const { realtime, connection, channel } = composeRealtime(ports, parts)
  const client = core.client.provide({ actors: { realtime } })
  return { ...core, client, realtime, connection, channel }
}

export const composeClient = (ports: ClientPorts, parts: Pick<SystemParts, 'leaf'>) =>
  composeMachines(ports, parts).client
