// What another app sends over Stately's protocol becomes the trace that our recorder would have made.
import { assign, fromCallback, fromPromise, sendTo, setup } from 'xstate'
import { describe, expect, test, vi } from 'vitest'
import { foreignTrace, inspectedRun, stepsIn } from '../harness/inspected.ts'

const child = setup({}).createMachine({
  id: 'kid',
  initial: 'a',
  states: { a: { on: { PING: 'b' } }, b: { on: { PING: { target: 'a', reenter: true } } } },
})
const parent = setup({
  types: { context: {} as { n: number; accessToken?: string } },
  actors: {
    child,
    fetch: fromPromise(() => Promise.resolve(42)),
    ring: fromCallback(({ sendBack }) => sendBack({ type: 'RANG' })),
  },
  guards: { isOk: () => true },
  delays: { soon: () => 1 },
}).createMachine({
  id: 'root',
  context: { n: 0 },
  initial: 'idle',
  invoke: { src: 'child', id: 'kid' },
  states: {
    idle: {
      description: 'Waits.',
      on: {
        GO: {
          target: 'busy',
          guard: 'isOk',
          actions: [sendTo('kid', { type: 'PING' }), assign({ n: ({ context }) => context.n + 1 })],
        },
      },
    },
    busy: { invoke: { src: 'fetch', id: 'fetch', onDone: 'wait' } },
    wait: { after: { soon: 'rung' } },
    rung: { invoke: { src: 'ring', id: 'ring' }, on: { RANG: 'end' } },
    end: { type: 'final' },
  },
})

const run = () =>
  inspectedRun(parent, async actor => {
    actor.send({ type: 'GO' })
    actor.send({ type: 'UNKNOWN' })
    await vi.waitFor(() => expect(actor.getSnapshot().status).toBe('done'))
  })

describe('a system that is inspected as it runs', () => {
  test('has the steps that our recorder saw, in the same order, with the same causes', async () => {
    const { messages, recorded } = await run()
    const trace = foreignTrace(messages)
    expect(stepsIn(trace)).toEqual(stepsIn(recorded))
    expect(trace.steps.map(({ from, changed, context }) => ({ from, changed, context }))).toEqual(
      recorded.steps.map(({ from, changed, context }) => ({ from, changed, context: context ?? undefined })),
    )
    // The protocol does not show that what a leaf sends at once came from outside.
    const outside = recorded.stimuli.filter(({ anchor }) => !anchor)
    expect(trace.stimuli.map(({ kind, to }) => ({ kind, to }))).toEqual(
      outside.map(({ kind, to }) => ({ kind, to })),
    )
  })

  test('its machines are drawn like our own, except for the order of states', async () => {
    const { messages, recorded } = await run()
    const { machines } = foreignTrace(messages).header
    expect(Object.keys(machines)).toEqual(['root', 'kid'])
    expect(sorted(machines['root']?.root)).toEqual(sorted(recorded.header.machines['root']?.root))
    expect(machines['kid']).toEqual(recorded.header.machines['kid'])
  })

  test('secrets are left out, and state names are unchanged', async () => {
    const secret = 'hunter2-hunter2'
    const token = setup({ types: { context: {} as { accessToken: string } } }).createMachine({
      id: 'keeper',
      context: { accessToken: secret },
      initial: 'password',
      states: { password: { on: { USE: 'secret' } }, secret: {} },
    })
    const { messages } = await inspectedRun(token, actor =>
      actor.send({ type: 'USE', note: `it is ${secret}` } as never),
    )
    expect(messages.join()).toContain(secret)
    const trace = foreignTrace(messages)
    expect(JSON.stringify([trace.steps, trace.stimuli, trace.header])).not.toContain(secret)
    expect(trace.steps.at(-1)).toMatchObject({
      value: 'secret',
      event: { type: 'USE', note: 'it is [redacted:1]' },
      context: { accessToken: '[redacted:1]' },
    })
  })
})

test('actors that are announced by hand are shown from their announcement on', () => {
  const eventOf = (type: string, rest: object) => ({
    type,
    _version: '0.7.2',
    createdAt: '1700000000000',
    ...rest,
  })
  const trace = foreignTrace([
    eventOf('@xstate.actor', {
      name: 'lamp',
      sessionId: 'lamp',
      snapshot: { status: 'active', context: { on: false } },
    }),
    eventOf('@xstate.event', { sessionId: 'lamp', event: { type: 'switch' } }),
    eventOf('@xstate.snapshot', {
      sessionId: 'lamp',
      event: { type: '' },
      snapshot: { context: { on: true } },
    }),
    eventOf('@xstate.event', { sessionId: 'lamp', event: 'look' }),
  ])
  expect(stepsIn(trace)).toEqual(['lamp @xstate.actor active ', 'lamp switch active ', 'lamp look active '])
  expect(trace.steps.map(({ context, changed }) => [context, changed])).toEqual([
    [{ on: false }, true],
    [{ on: true }, true],
    [{ on: true }, false],
  ])
})

function sorted(state: unknown): unknown {
  return JSON.parse(JSON.stringify(state), (_key, value: unknown) =>
    Array.isArray(value) && value.every(item => typeof item === 'object' && item !== null && 'key' in item)
      ? value.sort((a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1))
      : value,
  )
}
