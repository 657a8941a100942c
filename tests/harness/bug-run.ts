// Records a run of an app with a planted bug, and prints how a report names its failure. Runs in another process,
// in a copy of the sources with the bug: `node bug-run.ts SCENARIO FILE`.
import { writeFile } from 'node:fs/promises'
import { createRecorder, record } from '../../src/services/recording/index.ts'
import { createSeededEntropy } from '../../src/services/runtime/index.ts'
import {
  causeOfError,
  causeOfSignOut,
  causeOfUser,
  causeOfViolation,
} from '../../src/services/reports/causes.ts'
import { clientStatus } from '../../src/machines/status.ts'
import { realtimeStatus } from '../../src/machines/realtime/realtime-status.ts'
import { DEFAULT_TIMINGS } from '../../src/machines/timings.ts'
import { composeClient } from '../../src/services/client/compose-client.ts'
import { createCommandRouter } from '../../src/services/client/client-core.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { checkInvariants } from '../../src/trace/index.ts'
import { type Behavior, healthy, scriptedPorts, token } from './scripted-ports.ts'
import type { ClientCommand } from '../../src/machines/client.ts'

type Send = (command: ClientCommand) => void

interface Story {
  readonly ports: Partial<Behavior>
  readonly play: (send: Send, advance: (ms: number) => void) => void
}

const server = { kind: 'server', status: 503, message: 'The service is restarting.' } as const
const network = { kind: 'network', message: 'The connection broke.' } as const
const signIn = (send: Send, advance: (ms: number) => void) => {
  advance(5)
  send({ type: 'session.signIn', attempt: 'a1' })
  advance(50)
}
const request = (send: Send, id: string) =>
  send({ type: 'request.start', info: { id, family: 'rest', method: 'GET', path: '/rest/v1/vessels' } })
/** What users do besides. */
const noise = (send: Send, advance: (ms: number) => void) => {
  for (const id of ['n1', 'n2', 'n3']) {
    request(send, id)
    advance(400)
  }
}

type Clock = ReturnType<typeof createVirtualClock>

/** The answer of each request by its number: the fourth fails, since three are noise. */
const fourth = (answer: ReturnType<Behavior['send']>): Partial<Behavior> => ({
  send: n => (n === 4 ? answer : [[15, { type: 'send.answered', status: 200 }]]),
})
const oneRequest: Story['play'] = (send, advance) => {
  signIn(send, advance)
  noise(send, advance)
  request(send, '1')
  advance(5_000)
}

const STORIES: Readonly<Record<string, (clock: Clock) => Story>> = {
  'refresh fails': clock => ({
    ports: {
      authenticate: n => [[20, { type: 'auth.succeeded', token: token(clock, n, 600) }]],
      refreshToken: () => [[20, { type: 'refresh.failed', failure: server }]],
    },
    play(send, advance) {
      signIn(send, advance)
      noise(send, advance)
      advance(595_000)
    },
  }),
  'user fails': clock => ({
    ports: {
      readSession: (_, input) => [
        [
          1,
          input?.tokenId === undefined
            ? { type: 'stored.found', token: token(clock) }
            : { type: 'stored.same' },
        ],
      ],
      loadUser: () => [[5, { type: 'user.failed', failure: server }]],
    },
    play(send, advance) {
      advance(50)
      noise(send, advance)
      send({ type: 'session.verify', attempt: 'v1' })
      advance(1_000)
    },
  }),
  'no connection': () => ({
    ports: fourth([[15, { type: 'send.failed', failure: network }]]),
    play: oneRequest,
  }),
  'server restarts': () => ({
    ports: fourth([[15, { type: 'send.answered', status: 503 }]]),
    play: oneRequest,
  }),
  ordinary: () => ({ ports: {}, play: oneRequest }),
}

const [, , name = '', file = '', module] = process.argv
const cause = module === undefined ? await recordClient(name) : await recordOther(name, module)
process.stdout.write(JSON.stringify(cause))

async function recordClient(story: string) {
  const clock = createVirtualClock()
  const { ports, play } = (STORIES[story] as (clock: Clock) => Story)(clock)
  const scripted = scriptedPorts(clock, { ...healthy(clock), ...ports })
  const recorder = createRecorder({
    system: 'chartroom',
    appVersion: '1.4.2',
    clock,
    entropy: createSeededEntropy(1),
    compose: () => composeClient(scripted.ports),
    input: { timings: DEFAULT_TIMINGS, seed: 1 },
  })
  const emitted: { readonly type: string; readonly reason?: string }[] = []
  const deliver = createCommandRouter(report => emitted.push(report))
  recorder.actor.on('*', event => emitted.push(event))
  recorder.start()
  play(
    command => recorder.between(() => deliver(recorder.actor, command)),
    ms => clock.advance(ms),
  )
  recorder.stop()
  await writeFile(file, await recorder.file())
  const [violation] = checkInvariants(recorder.trace)
  if (violation) return causeOfViolation(violation)
  const status = clientStatus(recorder.actor.getSnapshot(), realtimeStatus)
  const { session } = status
  const isOver = session.phase === 'signedOut' && !['never', 'userLocal'].includes(session.reason)
  return isOver ? causeOfSignOut(session.reason, recorder.trace) : causeOfUser(status, recorder.trace)
}

/** Another machine: sends it the events in `SCENARIO`, as JSON. */
async function recordOther(events: string, path: string) {
  const { systems, system } = (await import(path)) as {
    readonly systems: Readonly<Record<string, Parameters<typeof record>[0]>>
    readonly system: string
  }
  const recording = record(systems[system] as Parameters<typeof record>[0], { system })
  let error: unknown
  recording.actor.subscribe({ error: thrown => void (error = thrown) })
  recording.start()
  for (const event of JSON.parse(events) as { readonly type: string }[]) {
    recording.actor.send(event as never)
    await new Promise(resolve => void setImmediate(resolve))
  }
  recording.stop()
  await writeFile(file, await recording.file())
  return causeOfError(error)
}
