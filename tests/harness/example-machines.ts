// Machines as in XState's examples: timers alone, a form that submits with a promise, and spawned children.
import { assign, enqueueActions, fromPromise, setup, type AnyEventObject } from 'xstate'

/** A traffic light: nothing but timers. */
export const light = (yellowMs = 400) =>
  setup({}).createMachine({
    id: 'light',
    initial: 'green',
    states: {
      green: { after: { 1000: 'yellow' } },
      yellow: { after: { [yellowMs]: 'red' } },
      red: { after: { 1500: 'green' } },
    },
  })

/** A form that is sent again after a failure. */
export const form = (retry = 'submitting') =>
  setup({
    types: { context: {} as { name: string; error?: string; berth?: string }, events: {} as AnyEventObject },
    actors: {
      book: fromPromise<{ id: string; berth: string }, { name: string }>(async ({ input }) => {
        attempts += 1
        if (attempts % 2 === 1) throw new Error('The harbour is full.')
        return { id: `5b3f6c1e-0000-4000-8000-00000000000${attempts}`, berth: `A ${input.name.length}` }
      }),
    },
  }).createMachine({
    id: 'form',
    context: { name: '' },
    initial: 'editing',
    states: {
      editing: {
        on: {
          type: { actions: assign({ name: ({ event }) => String(event['name']) }) },
          submit: 'submitting',
        },
      },
      submitting: {
        invoke: {
          src: 'book',
          id: 'book',
          input: ({ context }) => ({ name: context.name }),
          onDone: { target: 'booked', actions: assign({ berth: ({ event }) => event.output.berth }) },
          onError: { target: 'failed', actions: assign({ error: ({ event }) => String(event.error) }) },
        },
      },
      failed: { on: { retry } },
      booked: { type: 'final' },
    },
  })

let attempts = 0

const keel = (knocks: number) =>
  setup({}).createMachine({
    id: 'keel',
    initial: 'sound',
    states: {
      sound: { on: { knock: knocks === 1 ? 'lost' : 'cracked' } },
      cracked: { on: { knock: 'lost' } },
      lost: { type: 'final' },
    },
  })

/** A parent that spawns children and counts those that are lost. */
export const yard = (knocks = 2) =>
  setup({
    types: { context: {} as { built: number; lost: number }, events: {} as AnyEventObject },
    actors: { keel: keel(knocks) },
    actions: {
      build: enqueueActions(({ context, enqueue }) => {
        enqueue.spawnChild('keel', { id: `keel-${context.built}` })
        enqueue.assign({ built: context.built + 1 })
      }),
      knock: enqueueActions(({ event, enqueue }) => {
        enqueue.sendTo(`keel-${event['at']}`, { type: 'knock' })
      }),
      count: assign({ lost: ({ context }) => context.lost + 1 }),
    },
  }).createMachine({
    id: 'yard',
    context: { built: 0, lost: 0 },
    on: {
      build: { actions: 'build' },
      knock: { actions: 'knock' },
      'xstate.done.actor.*': { actions: 'count' },
    },
  })
