// The request queue: a concurrency limit, priorities, and streaming responses that are tracked to their end.
import { describe, expect, test } from 'vitest'
import { DEFAULT_TIMINGS, type RequestInfo } from '../../src/machines/index.ts'
import { scenario } from '../harness/scenario.ts'
import type { Behavior } from '../harness/scripted-ports.ts'

function requests(maxConcurrent: number, behave: Partial<Behavior> = {}) {
  /** Ids in the order in which they were sent. */
  const order: string[] = []
  const answer = behave.send ?? (() => [[10, { type: 'send.answered', status: 200 }]] as const)
  const send: Behavior['send'] = (n, input) => {
    order.push(input.id)
    return answer(n, input)
  }
  const base = scenario(() => ({ ...behave, send }), { maxConcurrent })
  const start = (id: string, info: Partial<RequestInfo> = {}) =>
    base.send({
      type: 'request.start',
      info: { id, family: 'rest', method: 'GET', path: '/rest/v1/vessels', ...info },
    })
  base.clock.advance(5)
  return { ...base, order, start }
}

const none = { queued: 0, waiting: 0, sending: 0, receiving: 0 }

describe('concurrency limit', () => {
  test('queued requests start in order as slots free up', () => {
    const { start, status, clock, order } = requests(2)
    for (const id of ['a', 'b', 'c', 'd', 'e']) start(id)
    expect(status().requests).toEqual({ ...none, sending: 2, queued: 3 })
    clock.advance(10)
    expect(status().requests).toEqual({ ...none, sending: 2, queued: 1 })
    clock.advance(20)
    expect(status().requests).toEqual(none)
    expect(order).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('high before normal before low, and in order within each', () => {
    const { start, clock, order } = requests(1)
    start('first')
    start('low 1', { priority: 'low' })
    start('normal 1')
    start('high 1', { priority: 'high' })
    start('normal 2')
    start('low 2', { priority: 'low' })
    start('high 2', { priority: 'high' })
    clock.advance(100)
    expect(order).toEqual(['first', 'high 1', 'high 2', 'normal 1', 'normal 2', 'low 1', 'low 2'])
  })

  test('a slow unbounded request does not hold a slot, and waits as long as it takes', () => {
    const { start, status, clock, order, outcome } = requests(1, {
      send: (_, { id }) => [[id === 'a' ? 400_000 : 10, { type: 'send.answered', status: 200 }]],
    })
    start('a', { family: 'functions', method: 'POST', unbounded: true })
    start('b')
    clock.advance(59_000)
    expect([order, status().requests]).toEqual([['a'], { ...none, sending: 1, queued: 1 }])
    clock.advance(1_010)
    expect([order, status().requests]).toEqual([['a', 'b'], { ...none, sending: 1 }])
    expect(outcome('b')).toEqual({ id: 'b', status: 200 })
    clock.advance(339_989)
    expect([outcome('a'), status().requests]).toEqual([undefined, { ...none, sending: 1 }])
    clock.advance(1)
    expect([outcome('a'), status().requests]).toEqual([{ id: 'a', status: 200 }, none])
  })

  test('the limits that an app sets end an unbounded request', () => {
    const { start, clock, outcome } = requests(4, { send: () => [] })
    const info = { family: 'functions', method: 'POST', unbounded: true } as const
    start('a', { ...info, timeout: 30_000 })
    start('b', { ...info, deadline: 120_000 })
    start('c', info)
    clock.advance(30_000)
    expect(outcome('a')).toMatchObject({ failure: { kind: 'timeout' } })
    clock.advance(90_000)
    expect(outcome('b')).toMatchObject({ failure: { kind: 'timeout', code: 'deadline' } })
    clock.advance(86_400_000)
    expect(outcome('c')).toBeUndefined()
  })

  test('an unbounded request that is never sent fails after the usual limits', () => {
    const { start, clock, outcome } = requests(1, { send: () => [] })
    start('a', { deadline: 600_000, timeout: 600_000 })
    start('b', { family: 'functions', method: 'POST', unbounded: true })
    clock.advance(90_000)
    expect(outcome('b')).toMatchObject({ failure: { kind: 'timeout', code: 'deadline' } })
  })

  test('a request waiting for a token or a retry does not hold a slot', () => {
    const { start, clock, status, order } = requests(1, {
      send: (_, { id }) => [[10, { type: 'send.answered', status: id === 'a' ? 503 : 200 }]],
    })
    start('a')
    start('b')
    clock.advance(10)
    expect(status().requests).toEqual({ ...none, waiting: 1, sending: 1 })
    clock.advance(60_000)
    expect([status().requests, order]).toEqual([none, ['a', 'b', 'a', 'a']])
  })

  test('aborted in the queue: never sent, and no other request is skipped', () => {
    const { start, clock, send, order, outcome } = requests(1)
    for (const id of ['a', 'b', 'c']) start(id)
    send({ type: 'request.abort', id: 'b' })
    clock.advance(50)
    expect(order).toEqual(['a', 'c'])
    expect(outcome('b')).toMatchObject({ failure: { kind: 'aborted', code: 'by_app' } })
  })

  test('in the queue past its deadline: fails unsent', () => {
    const { start, clock, outcome, order } = requests(1, { send: () => [] })
    start('a', { method: 'POST' })
    start('b', { deadline: 500 })
    clock.advance(500)
    expect(outcome('b')).toMatchObject({ failure: { kind: 'timeout', code: 'deadline' } })
    expect(order).toEqual(['a'])
  })

  test('a session end fails queued requests, too', () => {
    const { start, signIn, clock, send, outcome } = requests(1, {
      send: () => [[60_000, { type: 'send.answered', status: 200 }]],
    })
    signIn()
    start('a', { method: 'POST' })
    start('b', { method: 'POST' })
    send({ type: 'session.signOut', attempt: 'out', scope: 'local' })
    clock.advance(100)
    expect([outcome('a'), outcome('b')]).toMatchObject([
      { failure: { kind: 'aborted', code: 'signed_out' } },
      { failure: { kind: 'auth', code: 'session_ended' } },
    ])
  })
})

describe('a streaming response', () => {
  const streaming = { type: 'send.answered', status: 200, streaming: true } as const

  test('is returned at once, settles when its body has ended, and holds no slot', () => {
    const { start, clock, emitted, status } = requests(1, {
      send: () => [
        [10, streaming],
        [120_000, { type: 'body.ended' }],
      ],
    })
    start('a')
    start('b')
    clock.advance(20)
    expect(status().requests).toEqual({ ...none, receiving: 2 })
    expect(emitted).toEqual([
      { type: 'request.receiving', id: 'a' },
      { type: 'request.receiving', id: 'b' },
    ])
    clock.advance(200_000)
    expect(emitted.slice(2)).toEqual([
      { type: 'request.settled', output: { id: 'a', status: 200 } },
      { type: 'request.settled', output: { id: 'b', status: 200 } },
    ])
  })

  test('is checked for progress regularly; a stalled one fails', () => {
    const failure = { kind: 'timeout', code: 'stalled', message: 'The answer stalled.' } as const
    const requested: unknown[] = []
    const { start, clock, outcome, journal } = requests(1, {
      send: () => [[10, streaming]],
      body: () => {
        requested.push(clock.now())
        return requested.length === 3 ? [[0, { type: 'body.failed', failure }]] : []
      },
    })
    const { bodyCheck } = DEFAULT_TIMINGS
    start('a')
    clock.advance(4 * bodyCheck)
    expect(requested).toEqual([1, 2, 3].map(n => 15 + n * bodyCheck))
    expect(outcome('a')).toEqual({ id: 'a', failure })
    expect(journal.at(-1)).toBe('send 1 stopped')
  })

  test('with a deadline from its caller is cut off by it; without one it may take any time', () => {
    const { start, clock, outcome, status } = requests(4, { send: () => [[10, streaming]] })
    start('short', { deadline: 1_000 })
    start('long')
    clock.advance(1_000_000)
    expect(outcome('short')).toMatchObject({ failure: { kind: 'timeout', code: 'deadline' } })
    expect(status().requests).toEqual({ ...none, receiving: 1 })
  })

  test('aborted by its app: the transfer is stopped', () => {
    const { start, clock, send, outcome, journal } = requests(1, { send: () => [[10, streaming]] })
    start('a')
    clock.advance(20)
    send({ type: 'request.abort', id: 'a' })
    expect(outcome('a')).toMatchObject({ failure: { kind: 'aborted' } })
    expect(journal.at(-1)).toBe('send 1 stopped')
  })
})
