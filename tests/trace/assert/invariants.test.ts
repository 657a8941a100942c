// The invariants over a trace: an intact one has no violations, and each kind of tampering is found.
import { describe, expect, test } from 'vitest'
import {
  type ActorEntry,
  type StateValue,
  type StepRecord,
  type ReplayableTrace,
  checkTabs,
} from '../../../src/trace/index.ts'
import { isIn } from '../../../src/trace/assert/values.ts'
import { checkTrace, createTraceWatch, describeViolation } from '../../../src/trace/invariants/invariants.ts'
import { runEndings } from '../../harness/endings.ts'
import { expectInvariants } from '../../harness/expect-invariants.ts'
import { recordedClient } from '../../harness/recorded-run.ts'

/**
 * Signed in at 10, two queries, a channel, a refresh within the hour, signed out; a little more than an hour
 * in total.
 */
function voyage(): ReplayableTrace {
  const { clock, send, recorder } = recordedClient()
  const query = (id: string) =>
    send({ type: 'request.start', info: { id, family: 'rest', method: 'GET', path: '/rest/v1/vessels' } })
  clock.advance(10)
  send({ type: 'session.signIn', attempt: 'in' } as never)
  clock.advance(100)
  query('1')
  send({ type: 'channel.join', topic: 'bridge', options: {} })
  clock.advance(4_000_000)
  query('2')
  clock.advance(1_000)
  send({ type: 'session.signOut', attempt: 'out', scope: 'local' })
  clock.advance(1_000)
  recorder.stop()
  return recorder.trace
}

type Doctor = (trace: ReplayableTrace, steps: StepRecord[]) => void

function tamperedBy(doctor: Doctor) {
  const recorded = voyage()
  const trace = { ...recorded, actors: structuredClone(recorded.actors) }
  const steps = structuredClone(recorded.steps) as StepRecord[]
  doctor(trace, steps)
  return { actors: trace.actors, stimuli: trace.stimuli, steps }
}

function doctored(doctor: Doctor) {
  const found = checkTrace(tamperedBy(doctor))
  return found.map(({ invariant, actor, why }) => `${invariant} | ${actor} | ${why}`)
}

const pathOf = (trace: ReplayableTrace, step: StepRecord) => trace.actors[step.actor]?.path ?? ''
/** By path or by the name of its logic. */
const isOf = (trace: ReplayableTrace, step: StepRecord, who: string) =>
  pathOf(trace, step) === who || trace.actors[step.actor]?.src === who
const find = (trace: ReplayableTrace, steps: StepRecord[], who: string, event: string) => {
  const index = steps.findIndex(step => isOf(trace, step, who) && step.event.type === event)
  if (index < 0) throw new Error(`${who} never took ${event}`)
  return index
}
const change = (steps: StepRecord[], index: number, fields: Partial<StepRecord>) =>
  void (steps[index] = { ...(steps[index] as StepRecord), ...fields })
const deepen = (steps: StepRecord[], index: number, fields: object) =>
  change(steps, index, { context: { ...(steps[index]?.context as object), ...fields } })

test('an intact voyage has no violations', () => {
  expect(checkTrace(voyage()).map(describeViolation)).toEqual([])
})

describe('tampered', () => {
  const refreshTwice: Doctor = (trace, steps) => {
    const first = find(trace, steps, 'refreshToken', 'xstate.init')
    const reader = trace.actors.findIndex(({ path }) => path === 'client/refresh/ticker')
    const other = { ...trace.actors[reader], src: 'refreshToken' } as (typeof trace.actors)[number]
    ;(trace.actors as (typeof other)[])[reader] = other
    steps.splice(first + 1, 0, { ...(steps[first] as StepRecord), actor: reader })
  }

  test('a test of such a client fails when it ends', async () => {
    expectInvariants({ ...tamperedBy(refreshTwice), subscribe: () => () => undefined })
    await expect(runEndings('test')).rejects.toThrow('An invariant failed:\noneRefresh')
  })

  test('oneRefresh: a second refresh runs at the same time as the first', () => {
    expect(doctored(refreshTwice)).toEqual([
      'oneRefresh | client/refresh/attempt/refreshToken | A refresh started while another of the same session was in flight.',
    ])
  })

  test.each([
    ['without a token', { sentWith: undefined }, 'A user request was sent without a token.'],
    [
      'before the session is known',
      { identity: undefined },
      'The request was sent before its identity was known.',
    ],
    [
      'anonymously',
      { identity: 'anonymous', sentWith: undefined },
      'The request is sent anonymously while a user is signed in.',
    ],
    [
      'with a rejected token',
      { rejected: 'token-101' },
      'The request was sent again with token-101, which the server had rejected.',
    ],
    [
      'with an old token',
      { sentWith: 'token-1' },
      'A user request was sent with token-1, which had expired 340100 ms earlier.',
    ],
    [
      'with the token of another user',
      { identity: 'mate' },
      'The request of one user was sent with token-101 of another.',
    ],
  ])('liveToken: a request is sent %s', (_name, context, why) => {
    const found = doctored((trace, steps) =>
      deepen(steps, find(trace, steps, 'client/requests/request.2', 'xstate.init'), context),
    )
    expect(found).toEqual([`liveToken | client/requests/request.2 | ${why}`])
  })

  test('settlesOnce: a request settles twice, or never', () => {
    const twice = doctored((trace, steps) => {
      const settled = find(trace, steps, 'client', 'request.settled')
      steps.splice(settled, 0, steps[settled] as StepRecord)
    })
    expect(twice).toEqual([
      'settlesOnce | client | Request 1 settled without being open: a second time, or without being started.',
    ])
    const never = doctored((trace, steps) => {
      change(steps, find(trace, steps, 'client', 'request.settled'), { event: { type: 'made.up' } })
    })
    expect(never).toEqual([
      'settlesOnce | client/requests/request.1 | Request 1 was dropped and never settled.',
      expect.stringMatching(/^settlesOnce \| client \| Request 1 has not settled in \d+ s\.$/),
    ])
  })

  test('settlesOnce: large bodies and streams may take longer; a deadline applies to both', () => {
    const { clock, send, recorder } = recordedClient(() => ({
      send: (_, { id }) =>
        id === 'upload' ? [] : [[15, { type: 'send.answered', status: 200, streaming: true }]],
    }))
    const call = { family: 'storage', method: 'POST', path: '/' } as const
    send({ type: 'request.start', info: { ...call, id: 'upload', bytes: 60_000_000 } })
    send({ type: 'request.start', info: { ...call, id: 'news' } })
    send({ type: 'request.start', info: { ...call, id: 'pressed', deadline: 30_000 } })
    clock.advance(2_000_000)
    expect(checkTrace(recorder.trace)).toEqual([])
    const steps = structuredClone(recorder.trace.steps) as StepRecord[]
    for (const [index, { actor, event }] of steps.entries())
      if (actor === 0 && event.type === 'request.settled')
        change(steps, index, { event: { type: 'made.up' } })
    recorder.stop()
    const messages = checkTrace({ ...recorder.trace, steps }).map(({ why }) => why)
    expect(messages).toEqual([
      'Request pressed was dropped and never settled.',
      expect.stringMatching(/^Request pressed has not settled in 6[3-9]\d s\.$/),
      'Request upload was dropped and never settled.',
      expect.stringMatching(/^Request upload has not settled in 18\d\d s\.$/),
    ])
  })

  test.each([
    ['never', 'The session ended with an invalid reason ("never").'],
    ['banned', 'The session ended as "banned", but no server response was terminal.'],
    ['storageCleared', 'The session ended as "storageCleared", but the storage was not touched.'],
  ])('endsForAReason: the session ends as %s', (reason, why) => {
    const found = doctored((trace, steps) => {
      const end = steps.findIndex(({ t, actor, value }) => {
        return t > 4_000_000 && trace.actors[actor]?.src === 'session' && isIn(value, 'signedOut')
      })
      deepen(steps, end, { reason })
    })
    expect(found).toEqual([`endsForAReason | client/session | ${why}`])
  })

  test('endsForAReason: the user did not sign out, or suddenly changes', () => {
    const unasked = doctored((trace, steps) =>
      change(steps, find(trace, steps, 'client/session', 'session.signOut'), { event: { type: 'made.up' } }),
    )
    expect(unasked).toEqual([
      'endsForAReason | client/session | The session ended as "userLocal", but the user had not requested it.',
    ])
    const other = doctored((trace, steps) =>
      deepen(steps, find(trace, steps, 'client/session', 'token.rotated'), {
        token: { id: 'token-9', user: { id: 'stowaway' } },
      }),
    )
    expect(other).toContain(
      'endsForAReason | client/session | The session switched to another user without an event.',
    )
  })

  test('nothingOutlives: a port continues when its state is left, or steps after the dispose', () => {
    const deaf = doctored((trace, steps) => {
      const stop = steps.findLastIndex(step => pathOf(trace, step) === 'client/environment')
      change(steps, stop, { status: 'active' })
    })
    expect(deaf).toEqual(['nothingOutlives | client | It ended with 1 of its child actors still running.'])
    const late = (path: string) =>
      doctored((trace, steps) => {
        const of = steps.findLast(step => pathOf(trace, step) === path) as StepRecord
        steps.push({ ...of, cause: trace.stimuli.length, event: { type: 'made.up' }, status: 'active' })
      })
    expect(late('client/refresh')).toEqual([
      'nothingOutlives | client/refresh | It took a step after its own end.',
    ])
    const born = doctored((trace, steps) => {
      const actors = trace.actors as ActorEntry[]
      actors.push({ ...(actors[1] as ActorEntry), index: actors.length, path: 'client/ghost' })
      const first = steps.find(({ actor }) => actor === 1) as StepRecord
      steps.push({ ...first, actor: actors.length - 1, cause: trace.stimuli.length })
    })
    expect(born).toEqual(['nothingOutlives | client/ghost | It took a step after client had ended.'])
  })

  test('comesToRest: what should be open, joined or authenticated is not', () => {
    const stuck = (path: string, value: StateValue) =>
      doctored((trace, steps) => {
        const from = steps.findIndex(step => step.t > 100 && pathOf(trace, step) === path)
        const until = steps.findIndex(step => step.t > 4_000_000)
        for (let at = from; at < until; at++) {
          if (pathOf(trace, steps[at] as StepRecord) === path) change(steps, at, { value })
        }
      }).filter(line => line.startsWith('comesToRest'))[0]
    const said = (path: string, where: string) =>
      new RegExp(`^comesToRest \\| ${path} \\| \\d{3} s after the last fault it is still in ${where}\\.$`)
    expect(stuck('client/realtime/connection', { attached: 'connecting' })).toMatch(
      said('client/realtime/connection', 'attached connecting'),
    )
    expect(stuck('client/realtime/channel.bridge', 'waitingForConnection')).toMatch(
      said('client/realtime/channel.bridge', 'waitingForConnection'),
    )
    expect(stuck('client/session', { authenticated: { token: 'expired', assurance: 'aal1' } })).toMatch(
      said('client/session', 'authenticated token expired and assurance aal1'),
    )
  })
})

describe('across tabs', () => {
  const trace = voyage()
  const refresh = trace.steps.find(step => trace.actors[step.actor]?.src === 'refreshToken')?.t ?? 0

  test('sequential refreshes pass, simultaneous ones do not', () => {
    const tab = (name: string, startedAt: number) => ({ name, trace, shared: (t: number) => startedAt + t })
    expect(checkTabs([tab('a', 0), tab('b', 20), tab('c', 90_000)])).toEqual([])
    expect(checkTabs([tab('a', 0), tab('b', 19)])).toEqual([
      {
        invariant: 'oneRefresh',
        seq: expect.any(Number) as number,
        t: refresh,
        actor: 'b: client/refresh/attempt/refreshToken',
        why: 'b started a refresh while that of a was in flight.',
      },
    ])
  })

  test('a tab that was killed during a refresh no longer counts', () => {
    const away = [[refresh + 10, Infinity]] as const
    const killed = { name: 'a', trace, shared: (t: number) => t, away }
    expect(checkTabs([killed, { name: 'b', trace, shared: t => t + 11 }])).toEqual([])
    expect(checkTabs([killed, { name: 'b', trace, shared: t => t + 9 }])).toHaveLength(1)
  })
})

test('a growing trace is watched as it grows, and a new recording is watched from its start', () => {
  const run = recordedClient()
  const messages: string[] = []
  const look = createTraceWatch(run.recorder.trace, violation => messages.push(describeViolation(violation)))
  run.clock.advance(10)
  look()
  run.recorder.startRecording()
  run.send({ type: 'session.signIn', attempt: 'in' } as never)
  run.clock.advance(100_000)
  look()
  run.recorder.stop()
  look()
  expect(messages).toEqual([])
})
