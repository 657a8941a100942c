// Records the client trace of "Try the console": a token expires while the device is offline. It is made with the
// machines of this build, so that a replay of it is always identical.
import { encodeFile } from '../../../src/trace/index.ts'
import type { ClientCommand } from '../../../src/machines/client.ts'
import { DEFAULT_TIMINGS } from '../../../src/machines/timings.ts'
import { CLIENT_SYSTEM, composeClient } from '../../../src/services/client/compose-client.ts'
import { createRecorder } from '../../../src/services/recording/record.ts'
import { createSeededEntropy } from '../../../src/services/runtime/entropy.ts'
import { type Behavior, healthy, scriptedPorts, token } from '../../../tests/harness/scripted-ports.ts'
import { createVirtualClock, type VirtualClock } from '../../../src/testing/virtual-clock.ts'

const TOKEN_SECONDS = 300
const OFFLINE_AT = 150_000
const ONLINE_AT = 345_000

const network = { kind: 'network', message: 'The server is unreachable.' } as const

/** The backend and the device. */
const behaviorOf = (clock: VirtualClock): Behavior => ({
  ...healthy(clock),
  environment: () => [
    [0, { type: 'environment.changed', online: true, visible: true }],
    [OFFLINE_AT, { type: 'environment.changed', online: false, visible: true }],
    [ONLINE_AT, { type: 'environment.changed', online: true, visible: true }],
  ],
  authenticate: n =>
    n === 1
      ? [[180, { type: 'auth.failed', failure: { kind: 'auth', status: 400, message: 'Wrong password' } }]]
      : [[210, { type: 'auth.succeeded', token: token(clock, n, TOKEN_SECONDS) }]],
  refreshToken: n => [[160, { type: 'refresh.succeeded', token: token(clock, n + 100, TOKEN_SECONDS) }]],
  // The third request meets a server that restarts.
  send: n =>
    n === 3
      ? [[90, { type: 'send.failed', failure: network }]]
      : [[40 + 25 * n, { type: 'send.answered', status: 200 }]],
  socket: () =>
    clock.now() < OFFLINE_AT
      ? [
          [70, { type: 'socket.opened' }],
          [OFFLINE_AT - clock.now(), { type: 'socket.closed', code: 1006, reason: '' }],
        ]
      : [[80, { type: 'socket.opened' }]],
  topic: () => [
    [60, { type: 'topic.joined' }],
    [120, { type: 'postgres.subscribed' }],
    ...[20_000, 47_000, 71_000].map(
      (after, n) =>
        [after, { type: 'broadcast.received', event: 'moored', payload: { berth: n + 1 } }] as const,
    ),
  ],
})

/** Returns the gzipped trace; the same machines always give the same recording. */
export async function outageTrace(): Promise<Uint8Array> {
  const clock = createVirtualClock()
  const { ports } = scriptedPorts(clock, behaviorOf(clock))
  const recorder = createRecorder({
    system: CLIENT_SYSTEM,
    appVersion: 'documentation',
    clock,
    entropy: createSeededEntropy(1),
    compose: () => composeClient(ports),
    input: { timings: DEFAULT_TIMINGS, seed: 1 },
  })
  const send = (command: ClientCommand) => recorder.send(command)
  recorder.start()
  const request = (id: string, method: string, path: string) =>
    send({ type: 'request.start', info: { id, family: 'rest', method, path, access: 'user' } })
  clock.advance(1_500)
  send({ type: 'session.signIn', attempt: 'first', method: 'password' })
  clock.advance(4_000)
  send({ type: 'session.signIn', attempt: 'second', method: 'password' })
  clock.advance(900)
  request('1', 'GET', '/rest/v1/vessels?select=*')
  request('2', 'GET', '/rest/v1/log_entries?select=*&order=at.desc')
  send({
    type: 'channel.join',
    topic: 'bridge',
    use: 'log',
    options: { postgresChanges: [{ event: '*', schema: 'public', table: 'log_entries' }] },
  })
  clock.advance(60_000)
  request('3', 'GET', '/rest/v1/log_entries?select=*&order=at.desc')
  clock.advance(250_000)
  // The token has expired by now. The first request gives up before the device is online again, the second is sent.
  request('4', 'GET', '/rest/v1/log_entries?select=*&order=at.desc')
  clock.advance(14_000)
  request('5', 'PATCH', '/rest/v1/vessels?id=eq.3')
  clock.advance(31_000)
  clock.advance(20_000)
  send({ type: 'session.signOut', attempt: 'last', scope: 'local' })
  clock.advance(2_000)
  return encodeFile(recorder.trace)
}
