// A scenario: the whole client on scripted ports and a virtual clock, with helpers for tests.
import type { ActorRefFrom } from 'xstate'
import type { ChannelEmitted } from '../../src/machines/realtime/channel-setup.ts'
import type { ClientCommand, ClientEmitted, clientMachine } from '../../src/machines/client.ts'
import { realtimeStatus } from '../../src/machines/realtime/realtime-status.ts'
import { clientStatus, type ClientStatus } from '../../src/machines/status.ts'
import { DEFAULT_TIMINGS, type Timings } from '../../src/machines/timings.ts'
import { CLIENT_SYSTEM, composeClient } from '../../src/services/client/compose-client.ts'
import { createSeededEntropy } from '../../src/services/runtime/entropy.ts'
import { createCommandRouter } from '../../src/services/client/client-core.ts'
import { createRecorder } from '../../src/services/recording/record.ts'
import { createVirtualClock, type VirtualClock } from '../../src/testing/virtual-clock.ts'
import { expectInvariants } from './expect-invariants.ts'
import { healthy, scriptedPorts, type Behavior } from './scripted-ports.ts'

export interface Scenario {
  readonly clock: VirtualClock
  readonly client: ActorRefFrom<typeof clientMachine>
  readonly journal: readonly string[]
  /** The client's events for the app, in order. */
  readonly emitted: readonly (ClientEmitted | ChannelEmitted)[]
  send(command: ClientCommand): void
  status(): ClientStatus
  /** Signs in and lets it settle. */
  signIn(): void
  /** Starts a GET (or another method) and returns its id. */
  request(method?: string): string
  /** How a request ended, or undefined while it runs. */
  outcome(id: string): unknown
  starts(port: string): number
}

export function scenario(
  behave: (clock: VirtualClock) => Partial<Behavior> = () => ({}),
  timings: Partial<Timings> = {},
): Scenario {
  const clock = createVirtualClock()
  const { ports, journal } = scriptedPorts(clock, { ...healthy(clock), ...behave(clock) })
  const recorder = createRecorder({
    system: CLIENT_SYSTEM,
    appVersion: 'test',
    clock,
    entropy: createSeededEntropy(1),
    compose: () => composeClient(ports),
    input: { timings: { ...DEFAULT_TIMINGS, ...timings }, seed: 1 },
  })
  expectInvariants(recorder.trace, { timerLag: 0 })
  const client = recorder.actor
  const emitted: (ClientEmitted | ChannelEmitted)[] = []
  const deliver = createCommandRouter(report => emitted.push(report))
  client.on('*', event => emitted.push(event))
  recorder.start()
  let requests = 0
  return {
    clock,
    client,
    journal,
    emitted,
    send: command => recorder.between(() => deliver(client, command)),
    status: () => clientStatus(client.getSnapshot(), realtimeStatus),
    signIn() {
      clock.advance(5)
      recorder.send({ type: 'session.signIn', attempt: 'a1' })
      clock.advance(50)
    },
    request(method = 'GET') {
      const id = String(++requests)
      recorder.send({ type: 'request.start', info: { id, family: 'rest', method, path: '/rest/v1/vessels' } })
      return id
    },
    outcome: id =>
      emitted.flatMap(event =>
        event.type === 'request.settled' && event.output.id === id ? [event.output] : [],
      )[0],
    starts: port => journal.filter(line => line.startsWith(`${port} `) && !line.endsWith('stopped')).length,
  }
}
