// The recipes of docs/guide/recipes.md: what they record replays exactly. Those of hooks are in recorded-hooks.test.tsx.
import { fromStore } from '@xstate/store'
import { assign, createActor, setup } from 'xstate'
import { expect, test } from 'vitest'
import { attach } from '../../src/public/devtools/console.ts'
import { record, type Recording } from '../../src/public/devtools/recording.ts'
import { readTrace, verify } from '../../src/public/devtools/replay.ts'

const counter = setup({
  types: {} as {
    context: { n: number }
    input: { from?: number } | undefined
    events: { type: 'add'; by: number }
  },
}).createMachine({
  id: 'counter',
  context: ({ input }) => ({ n: input?.from ?? 0 }),
  on: { add: { actions: assign({ n: ({ context, event }) => context.n + event.by }) } },
})
const add = { type: 'add', by: 1 } as const

/** Replays a recording as a file: what it is worth after the app has gone. */
async function replayed({ lines }: Pick<Recording, 'lines'>) {
  const read = await readTrace(lines().join('\n'))
  if (read.kind !== 'trace') throw new Error(read.message)
  const { outcome } = verify(read.trace, { counter })
  return { outcome, events: read.trace.stimuli.filter(({ kind }) => kind === 'external').length }
}

test('attach gives an actor that the console shows and controls', () => {
  const { actor, recording, control } = attach(counter)
  actor.start()
  actor.send(add)
  expect([recording.trace.steps.length, typeof control.clock.now()]).toEqual([2, 'number'])
  actor.stop()
})

test('stores of @xstate/store', async () => {
  const cart = fromStore({
    context: { items: 0, at: 0 },
    on: {
      add: (context, event: { count: number }) => ({
        items: context.items + event.count,
        at: Date.now(),
      }),
    },
  })
  const recording = record(cart, { system: 'cart' })
  recording.start()
  recording.actor.send({ type: 'add', count: 2 })
  recording.actor.send({ type: 'add', count: 3 })
  expect(recording.actor.getSnapshot().context).toEqual({
    items: 5,
    at: expect.any(Number),
  })
  const read = await readTrace(recording.lines().join('\n'))
  if (read.kind !== 'trace') throw new Error(read.message)
  expect(verify(read.trace, { cart })).toMatchObject({ outcome: 'exact', compared: 3 })
})

test('starting from a snapshot', async () => {
  const before = createActor(counter).start()
  before.send(add)
  const recording = record(counter, { snapshot: before.getPersistedSnapshot() })
  recording.start()
  recording.actor.send(add)
  recording.stop()
  expect(recording.actor.getSnapshot().context).toEqual({ n: 2 })
  expect(await replayed(recording)).toEqual({ outcome: 'exact', events: 1 })
})

test('a recording that begins later', async () => {
  const recording = record(counter)
  recording.start()
  for (let n = 0; n < 10; n++) recording.actor.send(add)
  recording.startRecording()
  recording.actor.send(add)
  expect(await replayed(recording)).toEqual({ outcome: 'exact', events: 1 })
})

test('an event object that is used again', async () => {
  const recording = record(counter, { steps: false })
  recording.start()
  const event = { type: 'add' as const, by: 1 }
  for (; event.by < 4; event.by++) recording.actor.send(event)
  recording.stop()
  expect(recording.actor.getSnapshot().context).toEqual({ n: 6 })
  expect(await replayed(recording)).toEqual({ outcome: 'exact', events: 3 })
})
