// A small system that never changes: its traces in every file format are stored next to it.
import { assign, fromCallback, fromPromise, sendTo, setup } from 'xstate'
import type { Environment } from '../../src/services/runtime/ambient-env.ts'

type LampEvent = { type: 'switch'; by: string } | { type: 'glow'; level: number } | { type: 'ask' }

export function lamp(env: Pick<Environment, 'now' | 'random' | 'id'>) {
  const fetchBulb = fromPromise<{ watts: bigint; made: Date }, { tries: number }>(({ input }) =>
    input.tries % 2 === 0
      ? Promise.resolve({ watts: 40n, made: new Date(0) })
      : Promise.reject(new RangeError('no bulb', { cause: new Map([['tries', input.tries]]) })),
  )
  const glow = fromCallback<{ type: 'ask' }>(({ sendBack, receive }) => {
    sendBack({ type: 'glow', level: 1 })
    receive(() => sendBack({ type: 'glow', level: 2 }))
  })
  return setup({
    types: {
      context: {} as { tries: number; tag: string; since: number; levels: Set<number>; last: unknown },
      events: {} as LampEvent,
    },
    actors: { fetchBulb, glow },
    delays: { flicker: () => 10 + env.random() * 10 },
    actions: {
      note: assign({
        levels: ({ context }, { level }: { level: number }) => new Set([...context.levels, level]),
      }),
    },
  }).createMachine({
    id: 'lamp',
    context: () => ({ tries: 0, tag: env.id(), since: env.now(), levels: new Set(), last: undefined }),
    initial: 'off',
    on: { glow: { actions: { type: 'note', params: ({ event }) => ({ level: event.level }) } } },
    states: {
      off: { on: { switch: 'fetching' } },
      fetching: {
        entry: assign({ tries: ({ context }) => context.tries + 1, since: () => env.now() }),
        invoke: {
          id: 'bulb',
          src: 'fetchBulb',
          input: ({ context }) => ({ tries: context.tries }),
          onDone: { target: 'on', actions: assign({ last: ({ event }) => event.output }) },
          onError: { target: 'dark', actions: assign({ last: ({ event }) => event.error }) },
        },
      },
      dark: { after: { flicker: 'fetching' }, on: { switch: 'off' } },
      on: {
        invoke: { id: 'glow', src: 'glow' },
        on: { ask: { actions: sendTo('glow', { type: 'ask' }) }, switch: 'off' },
      },
    },
  })
}
