// A machine whose ports are plain functions.
import { expect, test } from 'vitest'
import { type CallbackActorLogic, fromCallback, sendTo, setup } from 'xstate'
import { startMachine } from '../../src/services/runtime/index.ts'

type Blow = { readonly type: 'blow' }
type Heard = { readonly type: 'heard' }

const whistle: CallbackActorLogic<Blow, { readonly pitch: number }> & { readonly sends?: Heard } =
  fromCallback(() => {
    throw new Error('not provided')
  })

const kettle = setup({
  types: {
    input: {} as { readonly pitch: number },
    context: {} as { readonly pitch: number },
    events: {} as Heard | { readonly type: 'heat' },
  },
  actors: { whistle },
  actions: { blow: sendTo('whistle', { type: 'blow' }) },
}).createMachine({
  id: 'kettle',
  context: ({ input }) => input,
  initial: 'cold',
  states: {
    cold: { on: { heat: 'boiling' } },
    boiling: {
      invoke: { id: 'whistle', src: 'whistle', input: ({ context }) => context },
      entry: 'blow',
      on: { heard: 'off' },
    },
    off: { type: 'final' },
  },
})

function start() {
  const journal: unknown[] = []
  let hear: () => void = () => expect.unreachable()
  const started = startMachine(
    kettle,
    {
      whistle({ input, receive, sendBack }) {
        journal.push(input.pitch)
        receive(({ type }) => journal.push(type))
        hear = () => sendBack({ type: 'heard' })
        return () => void journal.push('ends')
      },
    },
    { pitch: 440 },
    snapshot => journal.push(snapshot.value),
  )
  return { journal, started, hear: () => hear() }
}

test('a port gets its input and its events, sends events, and ends with its state', () => {
  const { journal, started, hear } = start()
  expect([started.snapshot().value, journal]).toEqual(['cold', []])
  started.send({ type: 'heat' })
  expect(journal).toEqual([440, 'blow'])
  hear()
  expect(journal).toEqual([440, 'blow', 'ends', 'off'])
})

test('a stopped machine has not ended, but its ports have; it ignores events', () => {
  const { journal, started } = start()
  started.send({ type: 'heat' })
  started.stop()
  started.send({ type: 'heard' })
  expect(journal).toEqual([440, 'blow', 'ends'])
})
