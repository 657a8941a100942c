// Each invariant fails for a machine or port that was broken on purpose, and passes for an intact one.
import { expect, test } from 'vitest'
import type { ClientCommand, Failure } from '../../src/machines/index.ts'
import { checkInvariants as checkTrace, describeViolation } from '../../src/trace/index.ts'
import {
  dropsAborted,
  givesUpAtOnce,
  neverExpires,
  neverStops,
  reconnectsTomorrow,
  refreshesTwice,
  sendsAtOnce,
  tellsTwice,
  type Mutant,
} from '../harness/mutants.ts'
import { recordedClient } from '../harness/recorded-run.ts'
import { token, type Behavior } from '../harness/scripted-ports.ts'
import type { VirtualClock } from '../../src/testing/virtual-clock.ts'

const outage: Failure = { kind: 'network', message: 'The backend cannot be reached.' }
const query = (id: string): ClientCommand => ({
  type: 'request.start',
  info: { id, family: 'rest', method: 'GET', path: '/rest/v1/vessels' },
})

/** A day on which the network fails for half an hour while the token is due, and the socket breaks. */
const outageDay = (clock: VirtualClock): Partial<Behavior> => ({
  environment: () => [
    [0, { type: 'environment.changed', online: true, visible: true }],
    [5_000_000, { type: 'environment.changed', online: true, visible: true }],
  ],
  authenticate: n => [[20, { type: 'auth.succeeded', token: token(clock, n, 600) }]],
  refreshToken: n =>
    clock.now() < 2_000_000
      ? [[20, { type: 'refresh.failed', failure: outage }]]
      : [[20, { type: 'refresh.succeeded', token: token(clock, n + 100, 600) }]],
  socket: n => [
    [10, { type: 'socket.opened' }],
    ...(n === 1 ? ([[600_000, { type: 'socket.closed', code: 1006, reason: '' }]] as const) : []),
  ],
})

function day(mutant?: Mutant) {
  const run = recordedClient(outageDay, 1, mutant)
  const steps: readonly (readonly [number, ClientCommand])[] = [
    [10, query('early')],
    [10, { type: 'session.signIn', attempt: 'in' }],
    [100, { type: 'channel.join', topic: 'bridge', options: {} }],
    [100, query('calm')],
    [700_000, query('in the outage')],
    [5, query('aborted')],
    [5, { type: 'request.abort', id: 'aborted' }],
    [2_000_000, query('after')],
  ]
  for (const [pause, command] of steps) {
    run.clock.advance(pause)
    run.send(command)
  }
  run.clock.advance(4_000_000)
  run.recorder.stop()
  return checkTrace(run.recorder.trace)
}

test('an intact client has no violations', () => {
  expect(day().map(describeViolation)).toEqual([])
})

test.each<readonly [string, string, Mutant, string, RegExp]>([
  [
    'oneRefresh',
    'a second refresh starts',
    refreshesTwice,
    'client/refresh/attempt/refreshToken',
    /another .* was in flight/,
  ],
  [
    'liveToken',
    'requests ignore the gate',
    sendsAtOnce,
    'client/requests/request.in the outage',
    /sent without a token/,
  ],
  [
    'liveToken',
    'expiry does not close the gate',
    neverExpires,
    'client/requests/request.in the outage',
    /had expired \d+ ms earlier/,
  ],
  [
    'settlesOnce',
    'its end is reported twice',
    tellsTwice,
    'client',
    /Request early settled without being open/,
  ],
  [
    'settlesOnce',
    'aborted requests are dropped',
    dropsAborted,
    'client/requests/request.aborted',
    /was dropped and never settled/,
  ],
  [
    'endsForAReason',
    'any failure counts as terminal',
    givesUpAtOnce,
    'client/session',
    /"remoteRevoked", but no server response was terminal/,
  ],
  [
    'nothingOutlives',
    'a port does not stop',
    neverStops('requests.request', 'send'),
    'client/requests/request.early',
    /ended with 1 of its child actors still running/,
  ],
  [
    'comesToRest',
    'the socket is not reopened',
    reconnectsTomorrow,
    'client/realtime/connection',
    /still in backingOff/,
  ],
])('%s fires when %s', (invariant, _how, mutant, actor, why) => {
  const found = day(mutant).filter(violation => violation.invariant === invariant)
  expect(found[0]).toEqual({
    invariant,
    seq: expect.any(Number) as number,
    t: expect.any(Number) as number,
    actor,
    why: expect.stringMatching(why) as string,
  })
})
