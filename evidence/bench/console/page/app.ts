// An app that is recorded as in production or development: several machines that send events to each other.
import { assign, createActor, sendTo, setup } from 'xstate'
import { createRing } from '../../../../src/services/recording/store/ring.ts'
import { record } from '../../../../src/services/recording/record.ts'

const berth = setup({
  types: { context: {} as { readonly visits: number }, events: {} as { readonly type: 'arrive' | 'leave' } },
  actions: { count: assign({ visits: ({ context }) => context.visits + 1 }) },
}).createMachine({
  id: 'berth',
  context: { visits: 0 },
  initial: 'free',
  states: {
    free: { on: { arrive: { target: 'taken', actions: 'count' } } },
    taken: { on: { leave: 'free' } },
  },
})

const harbour = setup({
  types: { context: {} as { readonly steps: number }, events: {} as { readonly type: 'arrive' | 'leave' } },
  actors: { berth },
  actions: { step: assign({ steps: ({ context }) => context.steps + 1 }) },
}).createMachine({
  id: 'harbour',
  context: { steps: 0 },
  invoke: [
    { src: 'berth', id: 'north' },
    { src: 'berth', id: 'south' },
  ],
  on: {
    arrive: { actions: ['step', sendTo('north', { type: 'arrive' }), sendTo('south', { type: 'arrive' })] },
    leave: { actions: ['step', sendTo('north', { type: 'leave' }), sendTo('south', { type: 'leave' })] },
  },
})

export interface BenchApp {
  /** Sends one event from outside and runs its consequences. */
  readonly step: (n: number) => void
  readonly trace: ReturnType<typeof createRing>['trace'] | undefined
}

/** Creates the app, recorded in a ring or unrecorded. */
export function createApp(isRecorded: boolean): BenchApp {
  const recording = isRecorded ? record(harbour, { system: 'harbour' }) : undefined
  const actor = recording?.actor ?? createActor(harbour)
  const trace = recording && createRing(recording, { stimuli: 20_000 }).trace
  if (recording) recording.start()
  else actor.start()
  return { trace, step: n => actor.send({ type: n % 2 === 0 ? 'arrive' : 'leave' }) }
}
