// A function call: what is known in each state, and that late events do not change how it ended.
import { createActor, fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import { expect, test } from 'vitest'
import {
  functionCallMachine,
  type CallEvent,
  type NetworkEvent,
} from '../../src/machines/workbench/function-call.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

const timings = { waiting: 3, download: 2, transferred: 900, protocol: 'h2' }

/** A call whose ports the test controls; `open` contains the running ones. */
const start = () => {
  const open = new Set<string>()
  const ports: { call?: (event: CallEvent) => void; measure?: (event: NetworkEvent) => void } = {}
  const runs = (name: string) => {
    open.add(name)
    return () => void open.delete(name)
  }
  const callFunction = fromCallback<EventObject, NonReducibleUnknown, CallEvent>(({ sendBack }) => {
    ports.call = sendBack
    return runs('call')
  })
  const measureNetwork = fromCallback<EventObject, NonReducibleUnknown, NetworkEvent>(({ sendBack }) => {
    ports.measure = sendBack
    return runs('network')
  })
  const clock = createVirtualClock()
  const actor = createActor(functionCallMachine.provide({ actors: { callFunction, measureNetwork } }), {
    clock,
    input: { method: 'POST', name: 'tide', as: 'user' },
  })
  actor.start()
  const facts = () => {
    const { value, context } = actor.getSnapshot()
    const { status, size, duration } = context
    return { value, status, size, duration, open: [...open] }
  }
  return { actor, clock, ports, facts }
}

const answered: CallEvent = { type: 'response.started', status: 200, kind: 'json' }

test('is sent, answered and received, and ends once the connection is measured', () => {
  const { actor, clock, ports, facts } = start()
  ports.call?.({ type: 'call.requested', request: 'r7' })
  expect(actor.getSnapshot().context.request).toBe('r7')
  expect(facts().value).toEqual({ running: { calling: 'sending' } })
  ports.call?.(answered)
  ports.call?.({ type: 'response.progressed', size: 10 })
  expect(facts()).toMatchObject({ value: { running: { calling: 'receiving' } }, status: 200, size: 10 })
  ports.call?.({ type: 'response.ended', size: 12, duration: 30 })
  expect(facts()).toEqual({
    value: { running: 'measuring' },
    status: 200,
    size: 12,
    duration: 30,
    open: ['network'],
  })
  ports.measure?.({ type: 'network.measured', timings })
  expect([facts().value, facts().open, clock.pending()]).toEqual(['done', [], 0])
  expect(actor.getSnapshot().context.timings).toEqual(timings)
})

test('ends without a measurement, too', () => {
  const { clock, ports, facts } = start()
  ports.call?.(answered)
  ports.call?.({ type: 'response.ended', size: 0, duration: 3 })
  clock.advance(2_000)
  expect([facts().value, facts().open]).toEqual(['done', []])
})

test('a stop aborts what is running and keeps the data received so far', () => {
  const { actor, ports, facts } = start()
  ports.call?.(answered)
  ports.call?.({ type: 'response.progressed', size: 10 })
  actor.send({ type: 'call.cancel', duration: 9 })
  ports.call?.({ type: 'response.ended', size: 99, duration: 99 })
  expect(facts()).toEqual({ value: 'canceled', status: 200, size: 10, duration: 9, open: [] })
})

test.each<[string, CallEvent]>([
  ['no response', { type: 'call.failed', failure: { kind: 'network', message: 'no' }, size: 0, duration: 4 }],
  ['an internal error', { type: 'port.broken', failure: { kind: 'bug', message: 'no' } }],
])('%s ends it, with the reason', (_, event) => {
  const { actor, ports, facts } = start()
  ports.call?.(event)
  expect([facts().value, facts().open, actor.getSnapshot().context.failure?.message]).toEqual([
    'failed',
    [],
    'no',
  ])
})
