// What Stately's inspector receives of a recording: all its steps and machines, and no secret, also not in
// definitions.
import { assign, sendTo, setup } from 'xstate'
import { expect, test } from 'vitest'
import { attach } from '../../src/services/control/index.ts'
import { createStatelyBridge, type BridgeWindow } from '../../src/services/control/stately/stately-bridge.ts'
import { foreignTrace, stepsIn } from '../harness/inspected.ts'

const SECRET = 'hunter2-hunter2'
const kid = setup({}).createMachine({
  id: 'kid',
  initial: 'a',
  states: { a: { on: { PING: 'b' } }, b: { type: 'final' } },
})
const parent = setup({
  types: {} as { context: { password: string; n: number }; input: { apiKey: string } },
  actors: { kid },
  guards: { isOk: () => true },
  delays: { soon: () => 1 },
}).createMachine({
  id: 'parent',
  description: 'Of a family.',
  context: ({ input }) => ({ password: input.apiKey, n: 0 }),
  type: 'parallel',
  states: {
    one: {
      initial: 'idle',
      invoke: { src: 'kid', id: 'kid', input: { password: SECRET }, onDone: '.done' },
      states: {
        idle: {
          tags: ['calm'],
          on: { GO: { guard: 'isOk', target: 'done', actions: sendTo('kid', { type: 'PING' }) } },
        },
        done: { after: { soon: { target: 'idle', reenter: true } }, exit: assign({ n: 1 }) },
        back: { type: 'history', history: 'deep' },
      },
    },
    two: { always: { guard: () => false, target: '#parent.one' } },
  },
})

function page() {
  const posted: { message: unknown; origin: string }[] = []
  const listeners = new Set<(event: MessageEvent) => void>()
  const inspector = {
    postMessage: (message: unknown, origin: string) => void posted.push({ message, origin }),
  }
  const window: BridgeWindow = {
    open: () => inspector,
    addEventListener: (_, listener) => void listeners.add(listener),
    removeEventListener: (_, listener) => void listeners.delete(listener),
  }
  const send = (origin: string, source: unknown = inspector) => {
    const event = { data: { type: '@statelyai.connected' }, origin, source } as MessageEvent
    for (const listener of listeners) listener(event)
  }
  return { window, posted, send }
}

test('read back, it equals the recording: the same steps, contexts and machines', async () => {
  const { actor, recording } = attach(parent, { input: { apiKey: SECRET } })
  const { window, posted, send } = page()
  const bridge = createStatelyBridge(recording, { window })
  actor.start()
  actor.send({ type: 'GO', password: SECRET } as never)
  send('https://evil.example')
  send('https://stately.ai', {})
  expect([posted, bridge.reportedCount(), bridge.isGone()]).toEqual([[], undefined, false])
  send('https://stately.ai')
  await expect.poll(() => actor.getSnapshot().context.n).toBe(1)
  await expect.poll(() => posted.length - 2 * recording.trace.steps.length).toBe(2)
  expect(bridge.reportedCount()).toBe(posted.length)
  expect(new Set(posted.map(({ origin }) => origin))).toEqual(new Set(['https://stately.ai']))
  const reportedCount = foreignTrace(posted.map(({ message }) => message))
  const withoutCause = (steps: string[]) => steps.map(step => step.replace(/by \d+$/, ''))
  expect(withoutCause(stepsIn(reportedCount))).toEqual(withoutCause(stepsIn(recording.trace)))
  expect(reportedCount.steps.map(({ context }) => context)).toEqual(
    recording.trace.steps.map(({ context }) => context),
  )
  expect(reportedCount.header.machines['kid']).toEqual(recording.trace.header.machines['kid'])
  expect(reportedCount.header.machines['parent']?.root.states).toEqual(
    JSON.parse(
      JSON.stringify(recording.trace.header.machines['parent']?.root.states).replace('"delay":1,', ''),
    ),
  )
  expect(JSON.stringify(posted)).not.toContain(SECRET)
  bridge.stop()
  expect(posted.at(-1)).toEqual({
    message: { type: '@statelyai.disconnected' },
    origin: 'https://stately.ai',
  })
  actor.stop()
})
