// The machines of realtime, put together with their ports.
import { channelMachine } from '../../machines/channel.ts'
import { connectionMachine } from '../../machines/connection.ts'
import type { probeSocket, resync, socket, topic } from '../../machines/ports.ts'
import { realtimeMachine } from '../../machines/realtime.ts'
import type { SystemParts } from '../system-parts.ts'

export interface RealtimePorts {
  readonly socket: typeof socket
  readonly probeSocket: typeof probeSocket
  readonly topic: typeof topic
  readonly resync: typeof resync
}

export function composeRealtime(ports: RealtimePorts, { leaf }: Pick<SystemParts, 'leaf'>) {
  const connection = connectionMachine.provide({
    actors: { socket: leaf('socket', ports.socket), probeSocket: leaf('probeSocket', ports.probeSocket) },
  })
  const channel = channelMachine.provide({
    actors: { topic: leaf('topic', ports.topic), resync: leaf('resync', ports.resync) },
  })
  const realtime = realtimeMachine.provide({ actors: { connection, channel } })
  return { realtime, connection, channel }
}
