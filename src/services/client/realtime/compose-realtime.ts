// Composes the realtime machines with their ports.
import {
  channelMachine,
  connectionMachine,
  type probeSocket,
  realtimeMachine,
  type resync,
  type socket,
  type topic,
} from '../../../machines/index.ts'

export interface RealtimePorts {
  readonly socket: typeof socket
  readonly probeSocket: typeof probeSocket
  readonly topic: typeof topic
  readonly resync: typeof resync
}

export function composeRealtime(ports: RealtimePorts) {
  const connection = connectionMachine.provide({
    actors: { socket: ports.socket, probeSocket: ports.probeSocket },
  })
  const channel = channelMachine.provide({
    actors: { topic: ports.topic, resync: ports.resync },
  })
  const realtime = realtimeMachine.provide({ actors: { connection, channel } })
  return { realtime, connection, channel }
}
