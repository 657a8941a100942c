// How events are stored: the app may reuse its event object, and an error is stored without its stack.
import { assign, createMachine, fromPromise } from 'xstate'
import { expect, test, vi } from 'vitest'
import { record } from '../../src/services/recording/index.ts'
import { deriveSteps, verify } from '../../src/services/replay/index.ts'

const counter = createMachine({
  id: 'counter',
  context: { seen: [] as number[] },
  on: { move: { actions: assign({ seen: ({ context, event }) => [...context.seen, Number(event['x'])] }) } },
})

test('an event object that is used again and again', () => {
  const recording = record(counter, { steps: false })
  recording.start()
  const event = { type: 'move', x: 0 }
  for (; event.x < 3; event.x++) recording.actor.send(event)
  recording.stop()
  const { trace } = recording
  expect(trace.stimuli.map(stimulus => stimulus.event)).toEqual([
    { type: 'move', x: 0 },
    { type: 'move', x: 1 },
    { type: 'move', x: 2 },
    undefined,
  ])
  expect(verify(trace, { counter })).toMatchObject({ outcome: 'exact', keyframes: 1 })
  const derived = deriveSteps(trace, { counter })
  expect(derived.kind === 'trace' && derived.trace.steps.map(({ context }) => context)).toEqual([
    { seen: [] },
    { seen: [0] },
    { seen: [0, 1] },
    { seen: [0, 1, 2] },
    { seen: [0, 1, 2] },
  ])
})

test('an error with its message, cause and fields', async () => {
  const failure = Object.assign(new TypeError('no wind', { cause: 'calm' }), { knots: 0 })
  const sail = createMachine({
    id: 'sail',
    invoke: { src: fromPromise(() => Promise.reject(failure)), onError: '.home' },
    initial: 'out',
    states: { out: {}, home: {} },
  })
  const recording = record(sail, { steps: false })
  recording.start()
  await vi.waitFor(() => expect(recording.actor.getSnapshot().value).toBe('home'))
  const [first] = recording.trace.stimuli
  const { data } = (first?.event ?? {}) as { data?: TypeError }
  expect(data).not.toBe(failure)
  expect(data).toEqual(failure)
  expect(data?.stack).toBe('TypeError: no wind')
})

test.each([
  ['sorts its list', [3, 1, 2], (input: number[]) => input.sort((a, b) => a - b)],
  ['changes a field', { n: 1 }, (input: { n: number }) => (input.n += 1)],
])('a promise that %s in its input', async (_what, input, change) => {
  const machine = createMachine({
    id: 'sorting',
    context: { output: undefined as unknown },
    invoke: {
      src: fromPromise(({ input: given }) => Promise.resolve((change as (given: unknown) => unknown)(given))),
      input: () => structuredClone(input),
      onDone: { actions: assign({ output: ({ event }) => event.output as unknown }) },
    },
  })
  const recording = record(machine)
  recording.start()
  await vi.waitFor(() => expect(recording.actor.getSnapshot().context.output).toBeDefined())
  recording.stop()
  expect(verify(recording.trace, { sorting: machine })).toMatchObject({ outcome: 'exact' })
  expect(recording.trace.steps.find(({ actor }) => actor === 1)?.event).toEqual({
    type: 'xstate.init',
    input,
  })
})
